/** Node arguments that run TypeScript files like the tests. */
export const loader = [`--import=${new URL('./register.mjs', import.meta.url)}`]
