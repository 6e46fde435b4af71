import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { expect, test } from 'vitest'
import { readMessageLines } from '../../../client/src/mcp/message-lines.ts'

/** The lines that the library gets, of bytes that arrive `size` at a time. */
const read = async (lines: string, size: number) => {
  const bytes = Buffer.from(lines)
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  )
  return (await buffer(readMessageLines(Readable.from(chunks)))).toString()
}

test.each([1, 7, 1000])('given messages in chunks of %i bytes, then every name reaches the library', async (size) => {
  const given = [
    '{"id": 1, "text": "é\u2028"}',
    '{"a":{"__proto__":1}}',
    '{"\\u005F_proto__":2}',
    '__proto__',
    'no end',
  ].join('\n')
  const expected = [
    '{"id": 1, "text": "é\u2028"}',
    String.raw`{"a":{"\"__proto__\"":1}}`,
    String.raw`{"\"__proto__\"":2}`,
    '__proto__',
    '',
  ].join('\n')
  expect(await read(given, size)).toBe(expected)
})

test('the library reads them', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const transport = new StdioServerTransport(
    readMessageLines(Readable.from([Buffer.from(`${JSON.stringify(message)}\n`)])),
  )
  const read = new Promise((resolve, reject) => Object.assign(transport, { onmessage: resolve, onerror: reject }))
  await transport.start()
  expect(await read).toEqual(message)
  await transport.close()
})
