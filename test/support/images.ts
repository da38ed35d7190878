/** The beginnings of images, by their type; enough for what detects types by content. */
export const images: [type: string, content: Buffer][] = [
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n0123456789', 'latin1')],
  ['image/jpeg', Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF', 'latin1')],
  ['image/gif', Buffer.from('GIF87a\x01\0\x01\0', 'latin1')],
  ['image/gif', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
  ['image/webp', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1')],
]

export const [[, png]] = images as [[string, Buffer]]
