import t from 'tap'
import {
  createIpRanges,
  readIpAddress,
  readIpRange,
} from '../../../src/core/language/ip-address.ts'

t.test('reads each form in which proxies write an address (RFC 7239 §6)', async (t) => {
  const rows: [text: string, address: string | null][] = [
    ['203.0.113.51', '203.0.113.51'],
    ['203.0.113.51:20000', '203.0.113.51'],
    ['203.0.113.51:_hidden', '203.0.113.51'],
    ['203.000.113.051', '203.0.113.51'],
    ['"203.0.113.51:20000"', '203.0.113.51'],
    ['  203.0.113.51 \t', '203.0.113.51'],
    ['[203.0.113.51]:1', null],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['"[2001:db8::1]:443"', '2001:db8::1'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8::1'],
    ['2001:db8:0:0:0:0:0:1:20000', '2001:db8::1'],
    ['[fe80::1%eth0]:80', 'fe80::1'],
    ['fe80::1%25eth0', 'fe80::1'],
    ['::ffff:203.0.113.51', '203.0.113.51'],
    ['::FFFF:cb00:7133', '203.0.113.51'],
    ['0:0:0:0:0:ffff:203.0.113.51', '203.0.113.51'],
    ['[::ffff:203.0.113.51]:20000', '203.0.113.51'],
    ['::ffff:203.0.113.51%eth0', '203.0.113.51'],
    ...['', ' ', 'unknown', '_gazonk', 'localhost', '203.0.113', '203.0.113.256', '1.2.3.4.5'].map(
      (text): [string, null] => [text, null],
    ),
    ...[
      '203.0.113.51:',
      '203.0.113.51:123456',
      '[2001:db8::1',
      '2001:db8::1]',
      '[]:1',
      '::1::2',
    ].map((text): [string, null] => [text, null]),
    ['203.0.113.51, 203.0.113.52', null],
    [`fe80::1%${'a'.repeat(1000)}`, null],
  ]
  for (const [text, address] of rows) t.equal(readIpAddress(text), address, text)
})

t.test('an address is in a range in whatever form both are written', async (t) => {
  const ranges = ['10.0.0.0/8', '::ffff:192.168.0.0/112', 'FD00:0::/8', '2001:db8::1']
  const isIn = createIpRanges(ranges)
  const inside = ['10.9.8.7', '192.168.3.4', 'fd12::1', '2001:db8::1']
  const outside = ['11.0.0.1', '192.169.0.1', 'fe80::1', '2001:db8::2', '::1', '']
  for (const one of inside) t.ok(isIn(one), one)
  for (const one of outside) t.notOk(isIn(one), one)
  t.notOk(createIpRanges([])('10.0.0.1'))
})

t.test('a range mapped to IPv6 is one of IPv4 addresses', async (t) => {
  t.strictSame(readIpRange('::ffff:10.0.0.0/104'), { network: '10.0.0.0', bits: 8 })
  t.strictSame(readIpRange('::ffff:0:0/96'), { network: '0.0.0.0', bits: 0 })
  const faulty = ['10.0.0.0/33', '10.0.0.0/', '10.0.0.1:80', '::ffff:0:0/90', '::/129', 'x', '']
  for (const text of faulty) t.equal(readIpRange(text), null, text)
})
