import { invalid, type Theme } from './vector.ts'
import { accepted, alteredToken, currentUser, vector } from './world.ts'

const api = 'https://api.example.com'

const named = (name: string, audience: string, aud: unknown, isEqual: boolean) =>
  vector(name, {
    audience,
    credential: alteredToken({ aud }),
    expect: isEqual ? accepted(currentUser) : invalid('audience'),
  })

/** Tokens whose client has written the audience in another way than the data API (RFC 3986 §6.2.2.1, §6.2.3). */
export const audiences = (): Theme => ({
  file: 'audiences',
  vectors: [
    ...Object.entries({
      'a slash instead of an empty path': [api, `${api}/`],
      'an empty path instead of a slash': [`${api}/`, api],
      'an empty path before a query': [`${api}?v=2`, `${api}/?v=2`],
      'the scheme in capital letters': [api, 'HTTPS://api.example.com'],
      'the host in capital letters': [`${api}/files`, 'https://API.Example.COM/files'],
      'the default port of https': [`${api}/files`, `${api}:443/files`],
      'the default port of http': ['http://api.example.com', 'http://api.example.com:80/'],
      'an empty port': [api, `${api}:`],
      'the default port of an IPv6 address': [
        'https://[2001:db8::A]',
        'https://[2001:db8::a]:443/',
      ],
      'percent-encoding in small letters': [`${api}/a%2Fb`, `${api}/a%2fb`],
      'the scheme of a URN in capital letters': ['urn:example:files', 'URN:example:files'],
      'one of several audiences': [api, ['https://files.example.com', `${api}/`]],
      'an audience that is no URI': ['data api Ä', 'data api Ä'],
    }).map(([what, [audience, aud]]) =>
      named(`${what}, which is the same`, audience as string, aud, true),
    ),
    ...Object.entries({
      'a final slash after a path': [`${api}/files`, `${api}/files/`],
      'the path in capital letters': [`${api}/files`, `${api}/Files`],
      'the user part in capital letters': [
        'https://me@api.example.com',
        'https://ME@api.example.com',
      ],
      'a URN in capital letters': ['urn:example:files', 'urn:EXAMPLE:files'],
      'another port': [api, `${api}:8443`],
      'the default port of another scheme': [api, `${api}:80`],
      'another scheme': [api, 'http://api.example.com'],
      'a query': [api, `${api}/?`],
      'a percent-encoded letter': [`${api}/files`, `${api}/%66iles`],
      'a dot segment': [`${api}/files`, `${api}/./files`],
      'a final dot of the host': [api, 'https://api.example.com./'],
      'a longer host': [api, 'https://api.example.com.evil.example/'],
      'our host as a user': [api, 'https://api.example.com@evil.example/'],
      'the Kelvin sign for a letter of the host': ['https://k.example', 'https://\u212a.example'],
      'a line break at the end': [api, `${api}\n`],
      'another text, where the audience is no URI': ['data api Ä', 'data api ä'],
    }).map(([what, [audience, aud]]) =>
      named(`${what}, which is another audience`, audience as string, aud, false),
    ),
  ],
})
