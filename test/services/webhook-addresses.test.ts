import t from 'tap'
import { isAllowedAddress, webhookUrlFault } from '../../src/services/webhook-addresses.ts'

type Reach = 'public' | 'private' | 'never'

/** Each with the last address before and the first behind it, where a mask could be wrong. */
const addresses: [address: string, reach: Reach][] = [
  ['8.8.8.8', 'public'],
  ['1.1.1.1', 'public'],
  ['9.255.255.255', 'public'],
  ['10.0.0.0', 'private'],
  ['10.255.255.255', 'private'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.64.0.1', 'private'],
  ['100.127.255.255', 'private'],
  ['100.128.0.0', 'public'],
  ['127.0.0.1', 'private'],
  ['127.255.255.254', 'private'],
  ['172.15.255.255', 'public'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.0', 'public'],
  ['192.167.255.255', 'public'],
  ['192.168.0.1', 'private'],
  ['192.169.0.0', 'public'],
  ['0.0.0.0', 'never'],
  ['0.1.2.3', 'never'],
  ['169.254.169.254', 'never'],
  ['169.254.0.1', 'never'],
  ['168.63.129.16', 'never'],
  ['192.0.0.1', 'never'],
  ['192.0.2.1', 'never'],
  ['198.18.0.1', 'never'],
  ['198.19.255.255', 'never'],
  ['198.51.100.1', 'never'],
  ['203.0.113.1', 'never'],
  ['224.0.0.1', 'never'],
  ['239.255.255.255', 'never'],
  ['240.0.0.1', 'never'],
  ['255.255.255.255', 'never'],

  ['2606:4700:4700::1111', 'public'],
  ['2a00:1450:4001:81b::200e', 'public'],
  ['::1', 'private'],
  ['fc00::1', 'private'],
  ['fd12:3456:789a::1', 'private'],
  ['fdff:ffff::1', 'private'],
  ['::', 'never'],
  ['::2', 'never'],
  ['::ffff:127.0.0.1', 'never'],
  ['::ffff:10.0.0.1', 'never'],
  ['::ffff:a9fe:a9fe', 'never'],
  ['::ffff:8.8.8.8', 'never'],
  ['::127.0.0.1', 'never'],
  ['0:0:0:0:0:ffff:7f00:1', 'never'],
  ['64:ff9b::7f00:1', 'never'],
  ['64:ff9b:1::a00:1', 'never'],
  ['fe80::1', 'never'],
  ['fe80::1%eth0', 'never'],
  ['2606:4700::1%eth0', 'never'],
  ['febf::1', 'never'],
  ['fec0::1', 'never'],
  ['ff02::1', 'never'],
  ['fd00:ec2::254', 'never'],
  ['2001::1', 'never'],
  ['2001:db8::1', 'never'],
  ['2002:7f00:1::', 'never'],
  ['2002:a9fe:a9fe::1', 'never'],
  ['3fff::1', 'never'],
  ['4000::1', 'never'],

  ['', 'never'],
  ['localhost', 'never'],
  ['127.1', 'never'],
  ['2130706433', 'never'],
  ['0x7f.0.0.1', 'never'],
  ['8.8.8.8 ', 'never'],
  ['[::1]', 'never'],
]

t.test('which addresses webhooks go to', async (t) => {
  for (const [address, reach] of addresses) {
    t.equal(isAllowedAddress(address, { allowPrivate: false }), reach === 'public', address)
    t.equal(
      isAllowedAddress(address, { allowPrivate: true }),
      reach !== 'never',
      `${address}, private ones allowed`,
    )
  }
})

const inside = 'leads to an address that webhooks do not go to'

t.test('what is wrong with a URL', async (t) => {
  const cases: [url: string, fault: string | null, withPrivate: string | null][] = [
    ['https://hooks.example/path?key=1', null, null],
    ['https://hooks.example:8443/', null, null],
    ['https://8.8.8.8/', null, null],
    ['https://[2606:4700:4700::1111]/', null, null],
    ['http://hooks.example/', 'must use https', null],
    ['http://127.0.0.1:4000/', 'must use https', null],
    ['https://127.0.0.1/', inside, null],
    ['https://127.1/', inside, null],
    ['https://2130706433/', inside, null],
    ['https://0x7f000001/', inside, null],
    ['https://0177.0.0.1/', inside, null],
    ['https://127.0.0.1./', inside, null],
    ['https://10.0.0.8/', inside, null],
    ['https://localhost/', inside, null],
    ['https://LOCALHOST./', inside, null],
    ['https://hooks.localhost/', inside, null],
    ['https://[::1]/', inside, null],
    ['https://[fd00::1]/', inside, null],
    ['https://169.254.169.254/latest/meta-data', inside, inside],
    ['https://0xa9fea9fe/', inside, inside],
    ['https://[::ffff:169.254.169.254]/', inside, inside],
    ['https://[::ffff:127.0.0.1]/', inside, inside],
    ['https://[64:ff9b::a9fe:a9fe]/', inside, inside],
    ['https://0.0.0.0/', inside, inside],
    ['https://0/', inside, inside],
    ['https://[::]/', inside, inside],
    ['https://user:pass@hooks.example/', 'has user information', 'has user information'],
    ['https://hooks.example/#x', 'has a fragment', 'has a fragment'],
    ['https://hooks.example/#', 'has a fragment', 'has a fragment'],
    ['ftp://hooks.example/', 'must use https', 'must use https'],
    ['file:///etc/passwd', 'must use https', 'must use https'],
    ['gopher://127.0.0.1:6379/_x', 'must use https', 'must use https'],
    ['unix:/run/redis.sock', 'must use https', 'must use https'],
    ['/path', 'is not an absolute URL', 'is not an absolute URL'],
    ['', 'is not an absolute URL', 'is not an absolute URL'],
    ['https://', 'is not an absolute URL', 'is not an absolute URL'],
    ['https://[::1', 'is not an absolute URL', 'is not an absolute URL'],
    ['https://256.1.1.1/', 'is not an absolute URL', 'is not an absolute URL'],
    ['https://hooks.example/\r\nx: y', 'is not an absolute URL', 'is not an absolute URL'],
    ['https://hooks.example/ä', 'is not an absolute URL', 'is not an absolute URL'],
  ]
  for (const [url, fault, withPrivate] of cases) {
    t.equal(webhookUrlFault(url, { allowPrivate: false }), fault, url)
    t.equal(webhookUrlFault(url, { allowPrivate: true }), withPrivate, `${url}, private allowed`)
  }
})
