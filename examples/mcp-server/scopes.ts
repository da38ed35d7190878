import type { Permission } from '@latchkey-auth/verify'

/**
 * The permissions that a client without a token asks for. Reading needs none, but a `scope` cannot be empty, and without
 * one the client would ask for everything that it may have.
 */
export const firstScopes: Permission[] = ['records:create']
