/** Arguments for Node: run TypeScript files as the tests do. */
export const loader = [`--import=${new URL('./register.mjs', import.meta.url)}`]
