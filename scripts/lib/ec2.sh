# shellcheck shell=bash
#
# Shared by deploy-ec2, deploy-agents and what removes them, after aws.sh: instance types, networks, a private bucket, and a
# role that may read it.
# They set type, subnet, bucket, role, and tag, by which their resources are found.
# shellcheck disable=SC2154,SC2034 # variables of those that source this, and for them

is_cidr() {
    [[ $1 =~ ^([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})/([0-9]{1,2})$ ]] &&
        ((10#${BASH_REMATCH[1]} < 256 && 10#${BASH_REMATCH[2]} < 256 && 10#${BASH_REMATCH[3]} < 256)) &&
        ((10#${BASH_REMATCH[4]} < 256 && 10#${BASH_REMATCH[5]} <= 32))
}

find_architecture() {
    local all
    all=$(ask_tolerating InvalidInstanceType ec2 describe-instance-types --instance-types "$type" \
        --query 'InstanceTypes[0].ProcessorInfo.SupportedArchitectures')
    case $all in
        *x86_64*) architecture=x86_64 ;;
        *arm64*) architecture=arm64 ;;
        *) usage "--type $type: $region has no such type for Linux" ;;
    esac
}

find_network() {
    if [[ -n $subnet ]]; then
        vpc=$(ask_if_any ec2 describe-subnets --subnet-ids "$subnet" --query 'Subnets[0].VpcId')
        [[ -n $vpc ]] || usage "--subnet $subnet: there is none in $region"
    else
        vpc=$(ask ec2 describe-vpcs --filters Name=is-default,Values=true --query 'Vpcs[0].VpcId')
        [[ $vpc == vpc-* ]] || usage "$region has no default VPC: give --subnet"
    fi
}

# A private bucket.
make_bucket() {
    local location=()
    [[ $region == us-east-1 ]] || location=(--create-bucket-configuration "LocationConstraint=$region")
    if [[ -z $(ask s3api list-buckets --query "Buckets[?Name=='$bucket'].Name") ]]; then
        change s3api create-bucket --bucket "$bucket" ${location[@]+"${location[@]}"} >/dev/null
    fi
    change s3api put-public-access-block --bucket "$bucket" --public-access-block-configuration \
        BlockPublicAcls=true,IgnorePublicAcls=true,BlockPublicPolicy=true,RestrictPublicBuckets=true >/dev/null
    change s3api put-bucket-tagging --bucket "$bucket" --tagging "TagSet=[{Key=$tag,Value=$name}]" >/dev/null
}

# upload key file
upload() {
    change s3api put-object --bucket "$bucket" --key "$1" --body "$2" --expected-bucket-owner "$account" >/dev/null
}

# make_instance_profile policy objects: a role for instances, which may read these objects of the bucket.
make_instance_profile() {
    local roles
    make_role "$role" ec2.amazonaws.com "$1" \
        '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:GetObject","Resource":"arn:'"$partition:s3:::$bucket/$2"'"}]}'
    roles=$(ask_if_any iam get-instance-profile --instance-profile-name "$role" \
        --query 'InstanceProfile.[InstanceProfileName,Roles[0].RoleName]')
    if [[ -z $roles ]]; then
        change iam create-instance-profile --instance-profile-name "$role" --tags "Key=$tag,Value=$name" >/dev/null
    fi
    if [[ $roles != *"$role"*"$role"* ]]; then
        change iam add-role-to-instance-profile --instance-profile-name "$role" --role-name "$role" >/dev/null
    fi
}

# user_data file name value…: what an instance runs at its first boot, with these variables; the file is of this folder.
user_data() {
    local file=$1
    shift
    echo '#!/bin/bash'
    printf '%s=%q\n' "$@"
    cat -- "$root/scripts/lib/first-boot.sh" "$root/scripts/lib/$file"
}

# instances filter…: their ids, one per line.
instances() {
    ask ec2 describe-instances --filters "Name=tag:$tag,Values=$name" "$@" \
        --query 'Reservations[].Instances[].InstanceId' | tr -s '[:space:]' '\n'
}

# Amazon Linux 2023 for the type.
find_image() {
    image=$(ask ssm get-parameter --query Parameter.Value \
        --name "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-$architecture")
}

# For remove, of aws.sh: the role has this policy, the bucket these objects.

# One per line, the kind before the name.
resources() {
    ask ec2 describe-instances --filters "Name=tag:$tag,Values=$name" \
        Name=instance-state-name,Values=pending,running,stopping,stopped,shutting-down \
        --query 'Reservations[].Instances[].InstanceId' | label instance
    ask ec2 describe-security-groups --filters "Name=tag:$tag,Values=$name" \
        --query 'SecurityGroups[].GroupId' | label security-group
    ask_if_any iam get-instance-profile --instance-profile-name "$role" \
        --query InstanceProfile.InstanceProfileName | label instance-profile
    ask_if_any iam get-role --role-name "$role" --query Role.RoleName | label role
    ask s3api list-buckets --query "Buckets[?Name=='$bucket'].Name" | label bucket
}

terminate_instances() {
    local ids
    ids=$(of instance)
    [[ -n $ids ]] || return 0
    # shellcheck disable=SC2086 # ids are words
    drop ec2 terminate-instances --instance-ids $ids
    say "waiting for the instances' end, which a security group needs"
    # shellcheck disable=SC2086
    drop ec2 wait instance-terminated --instance-ids $ids
}

remove_all() {
    local group object
    terminate_instances
    for group in $(of security-group); do
        drop ec2 delete-security-group --group-id "$group"
    done
    if [[ -n $(of instance-profile) ]]; then
        drop iam remove-role-from-instance-profile --instance-profile-name "$role" --role-name "$role"
        drop iam delete-instance-profile --instance-profile-name "$role"
    fi
    [[ -z $(of role) ]] || remove_role "$role" "$policy"
    if [[ -n $(of bucket) ]]; then
        for object in $objects; do
            drop s3api delete-object --bucket "$bucket" --key "$object"
        done
        drop s3api delete-bucket --bucket "$bucket"
    fi
}
