# Spring Security's client, from the repository of Maven. Its one flow is that of an app that has moved.
exec mvn -q -f spring/pom.xml exec:java
