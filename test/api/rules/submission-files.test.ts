import { createHash, randomBytes } from 'node:crypto'
import { decodeFunctionData, getAddress, keccak256, stringToBytes } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { countArrivingBytes } from '../../../api/artifacts/byte-accounts.ts'
import type { SpooledFile } from '../../../api/artifacts/received-file.ts'
import { anonymousFilesIn, createSpool } from '../../../api/artifacts/temporary-file.ts'
import type { Deps } from '../../../api/deps.ts'
import { createSubmission } from '../../../api/features/submissions/create-submission.ts'
import { createHttpServer } from '../../../api/server/http-server.ts'
import { encodeCall, normalise } from '../../../protocol/derive.ts'
import { anActor } from '../../support/actors.ts'
import { readArtifactBytes } from '../../support/artifact-bytes.ts'
import { parsedRequest } from '../../support/parsed-request.ts'
import { aSpooledFile } from '../../support/spooled-file.ts'
import { aStartedApi } from '../writes/started-api.ts'

const alice = anActor().address
const requester = anActor().address

const api = aStartedApi()
beforeAll(async () => {
  // As in a process that serves: the adapter replaces Request and Response there by its own.
  createHttpServer(api.app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 1_000 })
})

const aFile = (bytes: Uint8Array, described: object = {}) => ({
  fileName: 'a.txt',
  mimeType: 'text/plain',
  file: Buffer.from(bytes).toString('base64'),
  ...described,
})

async function prepare(artifacts: object[], deps: Deps = api.deps) {
  const task = await api.seed.task({ requester })
  const body = { workerAddress: alice, artifacts, signature: '0x51' }
  const request = parsedRequest(createSubmission, { params: { taskId: task.id }, body })
  const input = { ...request, arriving: countArrivingBytes(deps, 'a client') }
  const subject = await createSubmission.load(deps, input, null)
  if (subject === null) throw new Error('no such task')
  const prepared = await createSubmission.prepare(deps, subject, input, alice)
  if ('failure' in prepared) throw new Error(prepared.message)
  const { submission } = prepared.content
  if (submission === undefined) throw new Error('no submission')
  return { taskId: task.id, prepared, submission }
}

const storedBytes = (id: string) => readArtifactBytes(api.deps, id)

describe('a submission', () => {
  test('stores its files, commits to their manifest, and tells what they are', async () => {
    // Larger than one slice of hashing.
    const large = randomBytes(2_500_000)
    const { taskId, prepared, submission } = await prepare([
      aFile(Buffer.from('héllo'), { fileName: 'naïve "plan".txt' }),
      aFile(large, { fileName: 'leaves.zip', mimeType: 'application/zip', role: 'source' }),
    ])
    const [first, second] = submission.artifacts

    expect(first).toMatchObject({
      role: 'final',
      fileName: 'naïve "plan".txt',
      mediaKind: 'text',
      displayOrder: 0,
      sizeBytes: 6,
      textPreview: 'héllo',
    })
    expect(second).toMatchObject({
      role: 'source',
      fileName: 'leaves.zip',
      mediaKind: 'archive',
      displayOrder: 1,
      sizeBytes: large.length,
      sha256Hash: createHash('sha256').update(large).digest('hex'),
      keccak256Hash: keccak256(large),
      textPreview: null,
    })
    expect(await storedBytes(first?.id ?? '')).toEqual(Buffer.from('héllo'))
    expect(await storedBytes(second?.id ?? '')).toEqual(large)

    expect(submission).toMatchObject({ taskId, worker: alice, signature: '0x51' })
    expect(submission.deliverable).toBe(keccak256(stringToBytes(submission.manifest)))
    expect(JSON.parse(submission.manifest)).toMatchObject({
      schema: 'service-artifacts-v1',
      taskId,
      workerAddress: getAddress(alice),
      artifacts: [{ fileName: 'naïve "plan".txt' }, { keccak256Hash: keccak256(large) }],
    })
    expect(decodeFunctionData({ abi: taskMarketAbi, data: prepared.data })).toEqual({
      functionName: 'submitWork',
      args: [taskId, submission.deliverable],
    })
  })

  test('given its salt, then a caller computes the same call from names, sizes and hashes of the files', async () => {
    const bytes = randomBytes(1_000)
    const { taskId, prepared } = await prepare([aFile(bytes, { mimeType: 'image/png' })])
    const sha256Hash = createHash('sha256').update(bytes).digest('hex')
    const hashes = { sizeBytes: bytes.length, sha256Hash, keccak256Hash: keccak256(bytes) }
    const computed = normalise('submissions.create', {
      taskId,
      workerAddress: alice,
      artifacts: [{ fileName: 'a.txt', mimeType: 'image/png', ...hashes }],
      signature: '0x51',
      documentSalt: `0x${'5a'.repeat(32)}`,
    })
    const context = { deployment: api.deps.deployment, actor: alice, facts: {} }
    expect(encodeCall('submissions.create', computed, context)).toMatchObject({
      target: prepared.target,
      data: prepared.data,
    })
  })

  test('stores the files that came as long texts from where they were decoded to', async () => {
    const spool = createSpool(anonymousFilesIn(api.deps.config.SPOOL_DIR))
    const { hasher } = api.deps
    const files = [randomBytes(900_000), Buffer.from('a text, '.repeat(20_000))]
    const spooled: SpooledFile[] = []
    for (const bytes of files) spooled.push(await aSpooledFile(bytes, { spool, hasher }))
    const [first, second] = spooled
    const { submission } = await prepare([
      { ...aFile(Buffer.of()), mimeType: 'image/png', file: first },
      { ...aFile(Buffer.of()), file: second },
    ])
    await spool.close()
    expect(submission.artifacts).toMatchObject(
      files.map((bytes) => ({
        sizeBytes: bytes.length,
        sha256Hash: createHash('sha256').update(bytes).digest('hex'),
        keccak256Hash: keccak256(bytes),
      })),
    )
    expect(submission.artifacts[1]?.textPreview).toMatch(/^a text, a text/)
    for (const [index, { id }] of submission.artifacts.entries()) expect(await storedBytes(id)).toEqual(files[index])
  })

  test('whose request was answered before its files were stored leaves nothing behind', async () => {
    const spool = createSpool(anonymousFilesIn(api.deps.config.SPOOL_DIR))
    const { hasher } = api.deps
    const file = await aSpooledFile(randomBytes(900_000), { spool, hasher })
    await spool.close()
    const rows = async () =>
      (await api.sql`select id from stored_files where swept_at is null order by id`).map(({ id }) => id)
    const before = await rows()
    await expect(prepare([aFile(Buffer.from('abc')), { ...aFile(Buffer.of()), file }])).rejects.toThrow('is over')
    expect(await rows()).toEqual(before)
  })

  test('that is not bound in the end leaves nothing behind', async () => {
    const { prepared, submission } = await prepare([aFile(Buffer.from('abc')), aFile(Buffer.from('def'))])
    await prepared.discard?.()
    for (const { id } of submission.artifacts) expect(await storedBytes(id)).toBeNull()
  })
})
