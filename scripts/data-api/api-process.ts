/** A data API in a process of its own, which reports its CPU time. Started by request-cost.ts. */
import { createDataApi } from '../../examples/data-api/server.ts'

const [port = '', databaseUrl = '', issuer = '', audience = ''] = process.argv.slice(2)
const server = await createDataApi({
  url: `http://127.0.0.1:${port}`,
  databaseUrl,
  platform: null,
  verifier: { issuer, audience, resourceServer: { clientId: 'rsv', clientSecret: 'secret' } },
})
await server.listen({ host: '127.0.0.1', port: Number(port) })
process.on('message', () => process.send?.(process.cpuUsage()))
process.once('disconnect', () => void server.close())
process.send?.('ready')
