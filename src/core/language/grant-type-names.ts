/** RFC 8693 §2.1. */
export const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** RFC 7523 §2.1. */
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** Our own: a code for an app that an admin has installed from a link. */
export const installCode = 'urn:latchkey:params:oauth:grant-type:install-code'

/** RFC 8628 §3.4. */
export const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code'
