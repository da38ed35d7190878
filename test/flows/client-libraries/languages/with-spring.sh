# Spring Security's client, from the repository of Maven. Its one flow is that of an app that has moved.
# Debian's Maven resets the colours of a terminal even where there is none.
mvn -q -B -f spring/pom.xml exec:java | sed 's/\x1b\[0\?m//g'
