# Completions of phaseload for fish
function __phaseload_command
    set -l words (commandline -opc)
    if set -q words[2]; and contains -- $words[2] %COMMANDS% help
        echo $words[2]
    else
        echo run
    end
end
function __phaseload_is
    test (__phaseload_command) = $argv[1]
end
function __phaseload_first
    test (count (commandline -opc)) -eq 1
end
complete -c phaseload -n 'contains -- (__phaseload_command) help completion' -f
complete -c phaseload -n '__phaseload_is completion' -a 'bash zsh fish'
complete -c phaseload -n '__phaseload_is help' -a '%COMMANDS%'
complete -c phaseload -n __phaseload_first -f -a help -d 'the options of a command'
complete -c phaseload -n __phaseload_first -f -a version -d 'the version'
