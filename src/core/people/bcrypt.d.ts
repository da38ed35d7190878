declare module 'bcrypt' {
  const bcrypt: { compare(secret: Buffer, hash: string): Promise<boolean> }
  export default bcrypt
}
