module github.com/latchkey-auth/latchkey/packages/go

go 1.24.0

require github.com/go-jose/go-jose/v4 v4.1.9
