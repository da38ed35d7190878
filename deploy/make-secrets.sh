#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets and keeps existing ones:
#   deploy/make-secrets.sh
# Compose mounts each file with its permissions, and the services run as different users. So the files are readable by
# all, and the directory is closed to other users of this machine.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets

# $1: the name, $2: the value. The file is renamed into place, so that no partial secret remains.
keep() {
  [ -e "secrets/$1" ] && return
  printf '%s\n' "$2" > "secrets/.$1"
  chmod 444 "secrets/.$1"
  mv "secrets/.$1" "secrets/$1"
}

keep postgres_superuser_password "$(openssl rand -hex 24)"
keep database_password "$(openssl rand -hex 24)"
keep database_url "postgres://latchkey:$(cat secrets/database_password)@postgres:5432/latchkey"
keep redis_password "$(openssl rand -hex 24)"
keep redis_url "redis://:$(cat secrets/redis_password)@redis:6379"
keep master_key "$(openssl rand -base64 32)"
keep previous_master_keys ''
keep operator_token "$(openssl rand -hex 32)"
