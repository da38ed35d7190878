import { operatorToken } from './latchkey.ts'

/** Sends lines to `POST /import`. @returns the answer to each */
export const importLines = async (
  issuer: string,
  lines: readonly object[],
  bearer = operatorToken,
): Promise<{ status: string; detail?: string }[]> => {
  const response = await fetch(`${issuer}/api/admin/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  if (response.status !== 200) throw new Error(`the import answered ${response.status}`)
  const answers = (await response.text()).split('\n').filter(Boolean)
  return answers.map((answer) => JSON.parse(answer))
}
