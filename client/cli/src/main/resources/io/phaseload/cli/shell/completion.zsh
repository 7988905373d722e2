#compdef phaseload
# Completions of phaseload for zsh: phaseload completion zsh >DIR/_phaseload, into a folder of $fpath
_phaseload() {
    local command=run
    local -a commands options
    commands=(
%COMMANDS%
        'help:the options of a command'
        'version:the version'
    )
    if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
        _describe -t commands command commands
        return
    fi
    case $words[2] in
        %NAMES%|help) command=$words[2]; shift words; ((CURRENT--));;
    esac
    case $command in
%OPTIONS%
        help) _describe -t commands command commands; return;;
    esac
    _arguments -s -S : $options '*:file:_files'
}
if [[ $zsh_eval_context == *func* ]]; then
    _phaseload "$@"
else
    compdef _phaseload phaseload
fi
