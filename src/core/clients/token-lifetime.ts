import type { Interface } from '../language/permissions.ts'

/** Seconds for which the access tokens of each interface are valid (specification §8). */
export type TokenLifetimes = Readonly<Record<Interface, number>>

/** Seconds. Shorter tokens would expire between two requests of a slow client. */
export const shortestTokenLifetime = 60
/** Seconds. A signed token cannot be revoked at data APIs that verify it without the feed. */
export const longestTokenLifetime = 86_400

/** Seconds for which an access token of this app is valid: the operator's choice, up to that of the interface. */
export const tokenLifetimeOf = (
  app: { interface: Interface; accessTokenSeconds: number | null },
  lifetimes: TokenLifetimes,
): number => Math.min(app.accessTokenSeconds ?? Number.POSITIVE_INFINITY, lifetimes[app.interface])
