import type { AttachmentSettings } from './attachments.ts'

type Environment = Readonly<Record<string, string | undefined>>

const s3Names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** @throws Error that names what is missing or wrong */
export const readAttachmentSettings = (
  environment: Environment,
  url: string,
): AttachmentSettings => {
  const { WEBHOOK_ALLOW_PRIVATE = 'false', ATTACHMENTS_DIRECTORY, S3_REGION } = environment
  if (!/^(true|false)$/.test(WEBHOOK_ALLOW_PRIVATE))
    throw new Error('WEBHOOK_ALLOW_PRIVATE must be true or false')
  const common = { url, allowPrivate: WEBHOOK_ALLOW_PRIVATE === 'true' }
  const missing = s3Names.filter((name) => !environment[name])
  if (missing.length === s3Names.length)
    return { ...common, storage: ATTACHMENTS_DIRECTORY || 'attachments' }
  if (missing.length > 0) throw new Error(`not set: ${missing.join(', ')}`)
  const of = (name: (typeof s3Names)[number]) => environment[name] as string
  if (!/^https?:\/\//.test(of('S3_ENDPOINT')) || !URL.canParse(of('S3_ENDPOINT')))
    throw new Error('S3_ENDPOINT must be an http or https URL')
  return {
    ...common,
    storage: {
      endpoint: of('S3_ENDPOINT'),
      bucket: of('S3_BUCKET'),
      region: S3_REGION ?? 'us-east-1',
      accessKeyId: of('S3_ACCESS_KEY_ID'),
      secretAccessKey: of('S3_SECRET_ACCESS_KEY'),
    },
  }
}
