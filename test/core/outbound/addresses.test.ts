import t from 'tap'
import { isAllowedAddress, urlFault } from '../../../src/core/outbound/addresses.ts'
import { addresses, urls } from '../../support/hostile-addresses.ts'

t.test('which addresses the server may connect to', async (t) => {
  for (const [address, reach] of addresses) {
    t.equal(isAllowedAddress(address, { allowPrivate: false }), reach === 'public', address)
    t.equal(
      isAllowedAddress(address, { allowPrivate: true }),
      reach !== 'never',
      `${address}, private ones allowed`,
    )
  }
})

t.test('which URLs are rejected, and why', async (t) => {
  for (const [url, fault, withPrivate] of urls) {
    t.equal(urlFault(url, { allowPrivate: false }), fault, url)
    t.equal(urlFault(url, { allowPrivate: true }), withPrivate, `${url}, private allowed`)
  }
})
