#!/bin/sh
# GlassFish 7: the resource adapter, a connection factory, destinations, and recovery at the start.
# Run once, with the domain started:  glassfish.sh glassfish7/bin/asadmin metaq://broker:8123 metaq-ra.rar
set -e
asadmin=$1
# A colon ends a property, unless it is escaped: once for asadmin, once for the parser of its command lines.
url=$(printf '%s' "$2" | sed 's/:/\\\\:/g')
archive=$3

commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
cat > "$commands" <<COMMANDS
# The address comes before the archive, which is started as soon as it is deployed. It is known by the name metaq-ra.
create-resource-adapter-config --property serverUrl=$url metaq-ra
deploy --name metaq-ra $archive

# A connection factory.
create-connector-connection-pool --raname metaq-ra --connectiondefinition jakarta.jms.ConnectionFactory --transactionsupport XATransaction --maxpoolsize 50 --isconnectvalidatereq=true metaq
create-connector-resource --poolname metaq jms/factory

# Destinations: the name on the broker and the name in JNDI.
create-admin-object --raname metaq-ra --restype jakarta.jms.Queue --property physicalName=orders jms/orders
create-admin-object --raname metaq-ra --restype jakarta.jms.Topic --property physicalName=news jms/news

# What a crash leaves in doubt is finished at the next start.
set configs.config.server-config.transaction-service.automatic-recovery=true
COMMANDS
"$asadmin" multimode --file "$commands"
