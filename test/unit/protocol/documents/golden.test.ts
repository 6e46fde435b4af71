import { readFileSync } from 'node:fs'
import { keccak } from 'hash-wasm'
import { expect, test } from 'vitest'
import { toFeedbackDocument } from '../../../../protocol/documents/feedback-document.ts'
import { toSubmissionManifest } from '../../../../protocol/documents/submission-manifest.ts'

/**
 * Documents whose hashes are on chain, byte for byte as another JSON writer (Python's) has them. A change of one byte
 * would make earlier deliverables unverifiable: these files never change.
 */
const golden = (name: string) => readFileSync(new URL(`golden/${name}.golden`, import.meta.url))

const filled = (byte: string) => `0x${byte.repeat(32)}` as const
const worker = `0x${'a1'.repeat(20)}` as const
const common = { salt: filled('5a'), taskId: filled('7a') }

/** An implementation independent of the service's. */
const keccak256 = async (bytes: Uint8Array) => `0x${await keccak(bytes, 256)}`

test('given twenty files with every kind of name, in another order, then the manifest is this', async () => {
  const named = [
    ['Überblick 二 — final.pdf', 'application/pdf', 'final', 1],
    ['e\u0301 and \u00e9.txt', 'text/plain; charset="utf-8"', 'source', 0],
    ['👩‍🔧 "quoted" \'name\'.png', 'image/png', 'preview', 52_428_800],
    ['שלום.txt', 'text/plain', 'attachment', 524_288_000],
    ['a<script>&amp;.html', 'text/html', 'attachment', 3],
    ['back`tick $(id) %2e.sh', 'application/x-sh', 'source', 4],
    ['…dots….tar.gz', 'application/gzip', 'final', Number.MAX_SAFE_INTEGER],
  ] as const
  const more = Array.from({ length: 13 }, (_, index) => {
    const order = named.length + index
    return [`${order}.txt`, 'text/plain', 'attachment', order] as const
  })
  const artifacts = [...named, ...more].map(([fileName, mimeType, role, sizeBytes], displayOrder) => ({
    displayOrder,
    fileName,
    mimeType,
    role,
    sizeBytes,
    sha256Hash: (0xc0 + displayOrder).toString(16).repeat(32),
    keccak256Hash: filled((0xa0 + displayOrder).toString(16)),
  }))
  const { taskId, salt } = common
  const { text, hash } = toSubmissionManifest({ taskId, worker, artifacts: artifacts.toReversed() }, salt)
  const bytes = golden('manifest')
  expect(text).toBe(bytes.toString())
  expect(Buffer.from(text).equals(bytes)).toBe(true)
  expect(hash).toBe(await keccak256(bytes))
  expect(hash).toBe('0x5d80bc39c4c024831cc235f5e6483230ae82868a01ef106cb3d939c37b4d3e19')
})

test('given every kind of character, then the feedback file is this', async () => {
  const { taskId, salt } = common
  const { text, hash } = toFeedbackDocument(
    {
      taskId,
      worker,
      requester: `0x${'aa'.repeat(20)}`,
      workerAgentId: 7n,
      rating: 91,
      chainId: 8453,
      identityRegistry: '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432',
      feedbackText: 'Précis, “concis” — 五\n\tTabs, a \\ and a </script>; e\u0301, 👩‍🔧, שלום, \u2028 and \u0001',
      createdAt: '2030-01-01T00:00:00.000Z',
    },
    salt,
  )
  const bytes = golden('feedback')
  expect(text).toBe(bytes.toString())
  expect(Buffer.from(text).equals(bytes)).toBe(true)
  expect(hash).toBe(await keccak256(bytes))
  expect(hash).toBe('0x1f3ce802566ce7da22f436980a20551e32aa99f986db036bb1563bbf2e3322f1')
})
