<?php
// PHP's built-in server asks this script for every request.
file_put_contents('${folder}/access.log', "{$_SERVER['REQUEST_METHOD']} {$_SERVER['REQUEST_URI']} 200\n", FILE_APPEND);
echo "ok\n";
