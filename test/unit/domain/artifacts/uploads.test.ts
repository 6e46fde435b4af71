import { expect, test } from 'vitest'
import { type KnownUpload, refuseHashes, refuseUpload } from '../../../../api/domain/artifacts/uploads.ts'

const declared = {
  mimeType: 'text/plain',
  sizeBytes: 20,
  sha256Hash: 'ab'.repeat(32),
  keccak256Hash: `0x${'cd'.repeat(32)}`,
}
const known: KnownUpload = {
  mimeType: 'text/plain',
  sizeBytes: 20n,
  isSubmitted: false,
  isExpired: false,
  storedBytes: 20,
}

test('given the declared upload, then it is accepted, with an expired URL too', () => {
  expect(refuseUpload(declared, known, 0)).toBeNull()
  expect(refuseUpload(declared, { ...known, isExpired: true }, 0)).toBeNull()
})

test.each<[string, KnownUpload | null, { status: number; failure?: string; field: string; message: RegExp }]>([
  ['none of this worker', null, { status: 400, field: 'artifactKey', message: /no upload of this worker/ }],
  ['one that was submitted', { ...known, isSubmitted: true }, { status: 409, field: 'artifactKey', message: /once/ }],
  [
    'one that was submitted and deleted',
    { ...known, isSubmitted: true, storedBytes: null },
    { status: 409, field: 'artifactKey', message: /once/ },
  ],
  ['another type', { ...known, mimeType: 'text/html' }, { status: 400, field: 'mimeType', message: /be text\/html,/ }],
  [
    'another size',
    { ...known, sizeBytes: 21n },
    { status: 400, failure: 'upload_size_differs', field: 'sizeBytes', message: /must be 21,/ },
  ],
  [
    'nothing yet',
    { ...known, storedBytes: null },
    { status: 409, failure: 'upload_missing', field: 'artifactKey', message: /PUT its bytes/ },
  ],
  [
    'nothing ever',
    { ...known, storedBytes: null, isExpired: true },
    { status: 409, field: 'artifactKey', message: /expired: ask for another/ },
  ],
  [
    'fewer bytes',
    { ...known, storedBytes: 19 },
    { status: 400, failure: 'upload_size_differs', field: 'sizeBytes', message: /19 bytes, not 20/ },
  ],
])('given %s, then it is refused by field and message', (_name, upload, { field, message, ...refused }) => {
  const refusal = refuseUpload(declared, upload, 3)
  expect(refusal).toMatchObject({ ...refused, field: `artifacts.3.${field}` })
  expect(refusal?.message).toMatch(message)
  expect(refusal?.message).toContain('artifacts.3.')
})

test('given a hash that is not the file’s, then the refusal names the one that is', () => {
  expect(refuseHashes(declared, declared, 0)).toBeNull()
  const sha256Hash = '12'.repeat(32)
  expect(refuseHashes(declared, { ...declared, sha256Hash }, 1)).toMatchObject({
    status: 400,
    field: 'artifacts.1.sha256Hash',
    message: expect.stringContaining(sha256Hash),
  })
  const keccak256Hash = `0x${'34'.repeat(32)}`
  expect(refuseHashes(declared, { ...declared, keccak256Hash }, 1)).toMatchObject({
    status: 400,
    field: 'artifacts.1.keccak256Hash',
    message: expect.stringContaining(keccak256Hash),
  })
})
