# Completions of phaseload for bash 4 and later: source <(phaseload completion bash)
_phaseload() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=run word i options
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case $word in
            %COMMANDS%) command=$word; break;;
            help) command=help; break;;
            *) break;;
        esac
    done
    if ((COMP_CWORD == 1)) && [[ $current != -* ]]; then
        COMPREPLY=($(compgen -W '%WORDS% help version' -- "$current"))
        return
    fi
    case $command:$previous in
%VALUES%
    esac
    case $command in
        help) COMPREPLY=($(compgen -W '%WORDS%' -- "$current")); return;;
        completion) COMPREPLY=($(compgen -W 'bash zsh fish' -- "$current"));;
%OPTIONS%
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif ((${#COMPREPLY[@]} == 0)); then
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$current"))
    fi
}
complete -F _phaseload phaseload
