# shellcheck shell=bash
#
# Shared by deploy-* and destroy-*: options, AWS CLI calls, confirmation, waiting. It is sourced, and runs on bash 3.2 with
# AWS CLI 1 or 2.

set -euo pipefail
export AWS_PAGER=''

program=$(basename -- "$0")
# shellcheck disable=SC2034 # for those that source this
root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
exec 3>&1 # so that a call can be shown while its answer is captured

# Options that all four have.
name=default
region=''
yes=no
dry_run=no

say() { printf '%s: %s\n' "$program" "$*" >&2; }
die() { say "$@"; exit 1; }
usage() { say "$@"; exit 2; }

leave() {
    local status=$?
    # In a file: a change whose output is captured runs in a subshell.
    if ((status != 0)) && [[ $program == deploy-* && -e $scratch/changed ]]; then
        say "stopped half-way: run it again, or remove what there is with" \
            "scripts/destroy-${program#deploy-} --name $name --region $region"
    fi
    rm -rf -- "$scratch"
}
trap leave EXIT

# The comment at the top of a script is its help.
help() { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; }

# read_options "names of options with a value" "names of options without" "$@"
# Each option sets the variable of its name: --dry-run sets dry_run to yes.
read_options() {
    local valued=" name region $1 " flags=" yes dry-run $2 " option value
    shift 2
    while (($#)); do
        case $1 in
            -h | --help)
                help
                exit 0
                ;;
            --[a-z]*) option=${1#--} ;;
            *) usage "$1: expected an option; see --help" ;;
        esac
        if [[ $flags == *" $option "* ]]; then
            value=yes
        else
            if [[ $option == *=* ]]; then
                value=${option#*=}
                option=${option%%=*}
            else
                value=${2:-}
                shift $(($# > 1))
            fi
            [[ $option != *' '* && $valued == *" $option "* ]] || usage "--$option: no such option; see --help"
            [[ -n $value && $value != --* ]] || usage "--$option: expected a value"
        fi
        printf -v "${option//-/_}" %s "$value"
        shift
    done
    [[ $name =~ ^[a-z][a-z0-9-]{0,19}$ ]] ||
        usage "--name $name: expected 1 to 20 of a-z, 0-9 and -, the first a letter"
}

# require_number option value least most
require_number() {
    if ! [[ $2 =~ ^[0-9]{1,9}$ ]] || ((10#$2 < $3 || 10#$2 > $4)); then
        usage "--$1 $2: expected $3 to $4"
    fi
}

# require_one_of option value allowed…
require_one_of() {
    local option=$1 value=$2
    shift 2
    [[ " $* " == *" $value "* ]] || usage "--$option $value: expected one of $*"
}

require_tool() { type -P "$1" >/dev/null || usage "$1 is not installed: $2"; }

# Sets region, account and partition; called before anything else is asked of AWS.
find_account() {
    require_tool aws "see https://docs.aws.amazon.com/cli/latest/userguide/getting-started-install.html"
    if [[ -z $region ]]; then
        region=${AWS_REGION:-${AWS_DEFAULT_REGION:-$(aws configure get region || true)}}
    fi
    [[ -n $region ]] || usage "no region: give --region, or set AWS_REGION"
    [[ $region =~ ^[a-z]{2}(-[a-z]+)+-[0-9]+$ ]] || usage "--region $region: expected a name such as eu-west-1"
    local identity
    identity=$(ask_tolerating '[Cc]redential|Token|could not be found' \
        sts get-caller-identity --query '[Account,Arn]')
    [[ -n $identity ]] || usage "AWS doesn't know who is asking: $(tail -n 1 "$scratch/errors")"
    read -r account partition <<<"$identity"
    partition=${partition#*:}
    partition=${partition%%:*}
}

# Shows a call in a form that can be pasted into a shell.
show() {
    local remark=$1 word line=aws
    shift
    for word; do
        printf -v word %q "$word"
        line+=" $word"
    done
    printf '%s%s\n' "$line" "$remark" >&3
}

# call tolerated words…: AWS's answer, or nothing if its error matches the pattern.
call() {
    local tolerated=$1
    shift
    if ! aws "$@" 2>"$scratch/errors"; then
        [[ -n $tolerated ]] && grep -qE -- "$tolerated" "$scratch/errors" && return
        cat -- "$scratch/errors" >&2
        die "aws $1 $2 failed"
    fi
}

readonly ABSENT='NoSuch|NotFound|\(404\)'

# ask… only read, so a dry run makes these calls, too. The second one prints nothing if there is no such resource.
ask() { ask_tolerating '' "$@"; }
ask_if_any() { ask_tolerating "$ABSENT" "$@"; }
ask_tolerating() {
    local tolerated=$1
    shift
    set -- "$@" --region "$region" --output text
    [[ $dry_run == no ]] || show '  # made: it only reads' "$@"
    call "$tolerated" "$@"
}

# change… are all other calls, including waiting; a dry run only shows them.
change() { change_tolerating '' "$@"; }
change_tolerating() {
    local tolerated=$1
    shift
    set -- "$@" --region "$region" --output text
    if [[ $dry_run == yes ]]; then
        show '' "$@"
        printf 'ANSWER-OF-%s\n' "$2"
    else
        touch -- "$scratch/changed"
        call "$tolerated" "$@"
    fi
}

# Removes something if it exists. If that fails, the rest is removed all the same; what is left is listed at the end.
drop() { (change_tolerating "$ABSENT" "$@" >/dev/null) || true; }

# Retries until IAM has told other services about a new role.
change_with_new_role() {
    local answer tries
    for ((tries = 0; tries < 12; tries++)); do
        answer=$(change_tolerating 'Invalid IAM Instance Profile|role .* cannot be assumed' "$@") || return
        if [[ -n $answer ]]; then
            printf '%s\n' "$answer"
            return
        fi
        sleep 5
    done
    die "aws $1 $2 failed: after a minute the new IAM role is still unknown to it"
}

# Asks on standard input, unless --yes or --dry-run was given.
confirm() {
    [[ $yes == no && $dry_run == no ]] || return 0
    local answer=''
    printf '%s: %s [y/N] ' "$program" "$1" >&2
    read -r answer || true
    [[ $answer == [yY] || $answer == [yY]es ]] || die "nothing was changed"
}

# wait_until_answers seconds url status what-to-do-else
# For tests, PHASELOAD_HEALTH_URL replaces the URL.
wait_until_answers() {
    local limit=$1 url=${PHASELOAD_HEALTH_URL:-$2} wanted=$3 hint=$4 left end status
    [[ $dry_run == no ]] || return 0
    say "waiting up to $limit s for $url"
    end=$((SECONDS + limit))
    while left=$((end - SECONDS)) && ((left > 0)); do
        status=$(curl -sS -o /dev/null -w 'HTTP %{http_code}' --max-time $((left < 10 ? left : 10)) -- "$url" \
            2>"$scratch/errors") || status=$(tail -n 1 "$scratch/errors")
        [[ $status != "HTTP $wanted" ]] || return 0
        sleep 1
    done
    die "no answer from $url within $limit s, the last was: $status; $hint"
}

# Removes what the script's `resources` lists, one per line, with its `remove_all`, and says what is left.
remove() {
    local what="of the deployment $name in region $region, account $account"
    # Without this, a failed call in a subshell goes unnoticed, and a resource that couldn't be listed would seem to be gone.
    found=$(set -e; resources)
    if [[ -z $found ]]; then
        say "there is nothing $what"
        return
    fi
    printf 'To be removed %s:\n%s\n' "$what" "$found" >&2
    confirm "Go on?"
    remove_all
    [[ $dry_run == no ]] || return 0
    found=$(set -e; resources)
    [[ -z $found ]] || die "still there $what:"$'\n'"$found"
    say "nothing is left $what"
}

# label kind: each name on standard input on a line of its own, after its kind.
label() { tr -s '[:space:]' '\n' | sed -n "s/^..*/$1 &/p"; }

# of kind: the names of that kind among what was found.
of() { sed -n "s/^$1 //p" <<<"$found"; }

# Of standard input.
sha256() {
    if type -P sha256sum >/dev/null; then
        sha256sum
    else
        shasum -a 256
    fi | cut -d ' ' -f 1
}

# make_role name service inline-policy policy-document
make_role() {
    local trust
    trust='{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"'$2'"},"Action":"sts:AssumeRole"}]}'
    if [[ -z $(ask_if_any iam get-role --role-name "$1" --query Role.RoleName) ]]; then
        change iam create-role --role-name "$1" --assume-role-policy-document "$trust" \
            --tags "Key=phaseload,Value=$name" >/dev/null
    fi
    change iam put-role-policy --role-name "$1" --policy-name "$3" --policy-document "$4" >/dev/null
}

# remove_role name inline-policy
remove_role() {
    drop iam delete-role-policy --role-name "$1" --policy-name "$2"
    drop iam delete-role --role-name "$1"
}
