#!/bin/sh
# Makes the secrets of compose.yaml in deploy/secrets, and keeps those that are there:
#   deploy/make-secrets.sh
# Compose mounts each file as it is, and the services run as different users: so the files are readable by all, and the
# directory is closed to all others on this machine.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets

# $1: the name, $2: the value. Written in one step, so that no half of a secret is left behind.
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
