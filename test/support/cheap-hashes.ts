import argon2 from 'argon2'

const full = argon2.hash
const cheap = (password: string | Buffer, options: argon2.Options = {}) =>
  full(password, { ...options, memoryCost: 64 })

/**
 * Decides whether this process hashes new passwords cheaply. A hash, and each check of it, takes 52 ms of CPU in a server;
 * the night hashes as a server does.
 */
export const hashCheaply = (isCheap: boolean): void =>
  void Object.assign(argon2, {
    hash: isCheap && !process.env.LATCHKEY_TEST_NIGHTLY ? cheap : full,
  })
