#!/bin/sh
# Makes a certificate authority and a certificate for each host, for NATS and for the transfer of files.
# Usage: certificates.sh FOLDER HOST...      A HOST is a name or an IP address, as others reach it.
# What is there already stays. FOLDER/ca.key signs new ones: keep it on no host of the cluster.
set -eu
umask 077
folder=$1
shift
mkdir -p "$folder"
cd "$folder"
if [ ! -e ca.key ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
    -subj '/CN=jurisprudencia cluster' -keyout ca.key -out ca.pem 2>/dev/null
fi
for host in "$@"; do
  [ -e "$host.pem" ] && continue
  case $host in
    *[!0-9.]*) name=DNS:$host ;;
    *) name=IP:$host ;;
  esac
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$host" \
    -keyout "$host.key" -out "$host.csr" 2>/dev/null
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$name" > "$host.ext"
  openssl x509 -req -in "$host.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 730 \
    -extfile "$host.ext" -out "$host.pem" 2>/dev/null
  rm "$host.csr" "$host.ext"
  echo "$folder/$host.pem"
done
