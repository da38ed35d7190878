/** RFC 8693 §2.1. */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'
