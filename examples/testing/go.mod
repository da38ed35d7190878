module example.com/records

go 1.24.0

require github.com/latchkey-auth/latchkey/packages/go v0.1.0

require github.com/go-jose/go-jose/v4 v4.1.9 // indirect

replace github.com/latchkey-auth/latchkey/packages/go => ../../packages/go
