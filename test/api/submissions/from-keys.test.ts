import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Hex, keccak256 } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { ObjectChangedError } from '../../../api/artifacts/storage/object-store.ts'
import { createSemaphore } from '../../../api/concurrency/semaphore.ts'
import type { Deps } from '../../../api/deps.ts'
import { createApp } from '../../../api/server/app.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { oneChunk, readArtifactBytes } from '../../support/artifact-bytes.ts'
import { aSubmissionBody } from '../../support/conformance-fixtures.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import type { TaskColumns } from '../../support/rows/task-rows.ts'
import {
  aFromKeysBody,
  aLocalFile,
  anUploadRequest,
  type KeyedFile,
  type LocalFile,
  toKeyedFile,
} from '../../support/uploads.ts'
import { agreeToEverything, aPaidWrite } from '../writes/fake-payments.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** No relay runs here: what is admitted is bound, and undecided when the answer must be given. */
const BOUND = { status: 409, reason: 'intent_in_flight' }

const requester = anActor()

const api = aStartedApi({ WRITE_ANSWER_MS: '150', FREE_SUBMISSIONS: '2', SUBMISSION_CEILING: '3' })
beforeAll(async () => {
  agreeToEverything(api)
})

const aTask = async (columns: Partial<TaskColumns> = {}, texts = {}, access = {}) =>
  (await api.seed.task({ requester: requester.address, ...columns }, texts, access)).id
const pathOf = (taskId: Hex) => `/api/tasks/${taskId}/submissions/from-keys`
const send = (taskId: Hex, body: unknown, key: string = randomUUID()) =>
  api.post(pathOf(taskId), body, { 'X-Service-Idempotency-Key': key })
const toOutcome = ({ status, body }: Answer) => ({ status, reason: body.service?.reason })

/** Asks for a URL; the key. */
async function askFor(worker: Actor, taskId: Hex, file: LocalFile): Promise<string> {
  const path = `/api/tasks/${taskId}/submissions/request-upload-url`
  const { status, body } = await api.post(path, await anUploadRequest(worker, taskId, file))
  if (status !== 200) throw new Error(`no URL: ${JSON.stringify(body)}`)
  return body.artifactKey
}

/** An upload with its bytes in storage, as its worker declares it. */
async function anUpload(worker: Actor, taskId: Hex, file = aLocalFile()): Promise<KeyedFile> {
  const key = await askFor(worker, taskId, file)
  await putBytes(key, file.bytes)
  return toKeyedFile(key, file)
}

const idOf = (artifactKey: string) => artifactKey.split('/')[1] ?? ''
const putBytes = (artifactKey: string, bytes: Buffer) =>
  api.deps.storage.put({ area: 'uploads', id: idOf(artifactKey) }, oneChunk(bytes), bytes.length)

/** A refusal of the first look, with the field it is about; it is the same where it was asked for with a price. */
async function expectRefused(
  answer: Answer,
  { status, field, text }: { status: number; field?: string; text?: string | RegExp },
): Promise<void> {
  expect(toOutcome(answer)).toEqual({ status, reason: 'payment_preflight_rejected' })
  if (field !== undefined) expect(answer.body.issues).toMatchObject([{ path: field }])
  if (text !== undefined) expect(answer.body.error).toMatch(text)
}

/** What the service keeps of files that no write has. */
const strayFiles = async () =>
  await api.sql`
  select id from service.stored_files where intent_id is null and emptied_at is null`

/** Counts what is hashed, and lets parts of the service be others. */
function serviceWith(changes: (deps: Deps) => Partial<Deps>) {
  const app = createApp({ ...api.deps, ...changes(api.deps) })
  return async (taskId: Hex, body: unknown): Promise<Answer> => {
    const headers = { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': randomUUID() }
    const response = await app.request(pathOf(taskId), { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
}

describe('what is no submission is refused by its field', () => {
  test.each<[string, (file: KeyedFile, taskId: Hex) => unknown, string]>([
    [
      '21 artifacts',
      (file, taskId) => Array.from({ length: 21 }, () => ({ ...file, artifactKey: `${taskId}/${randomUUID()}` })),
      'artifacts',
    ],
    [
      'a key that climbs',
      (file, taskId) => [{ ...file, artifactKey: `${taskId}/../${idOf(file.artifactKey)}` }],
      'artifacts.0.artifactKey',
    ],
    [
      'the key of another task',
      (file) => [{ ...file, artifactKey: `${aHash()}/${idOf(file.artifactKey)}` }],
      'artifacts.0.artifactKey',
    ],
    [
      'a key twice, in other letters',
      (file) => [file, { ...file, artifactKey: file.artifactKey.toUpperCase().replace('0X', '0x') }],
      'artifacts.1.artifactKey',
    ],
    ['a path as its name', (file) => [{ ...file, fileName: '../a' }], 'artifacts.0.fileName'],
    [
      'sha-256 in capitals',
      (file) => [{ ...file, sha256Hash: file.sha256Hash.toUpperCase() }],
      'artifacts.0.sha256Hash',
    ],
    [
      'keccak without 0x',
      (file) => [{ ...file, keccak256Hash: file.keccak256Hash.slice(2) }],
      'artifacts.0.keccak256Hash',
    ],
  ])('%s', async (_name, change, field) => {
    const [taskId, alice] = [await aTask(), anActor()]
    const file = toKeyedFile(`${taskId}/${randomUUID()}`, aLocalFile())
    const body = await aFromKeysBody(alice, taskId, change(file, taskId) as KeyedFile[])
    await expectRefused(await send(taskId, body), { status: 400, field })
  })

  test('a task that is settled', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const file = await anUpload(alice, taskId)
    await api.sql`update task set status = 'cancelled' where id = ${taskId}`
    await expectRefused(await send(taskId, await aFromKeysBody(alice, taskId, [file])), { status: 409 })
  })
})

describe('an upload that cannot be what is declared is refused, free and paid alike', () => {
  /**
   * Wrong in one way each: of the uploads of a worker to a task, what the worker declares. `test/unit/domain/artifacts/uploads.test.ts`
   * has the rules.
   */
  const lies: [string, (alice: Actor, taskId: Hex) => Promise<KeyedFile>, number, string, RegExp][] = [
    [
      'one of another worker',
      async (_alice, taskId) => await anUpload(anActor(), taskId),
      ...([400, 'artifactKey', /no upload of this worker/] as const),
    ],
    [
      'one for another task',
      async (alice, taskId) => {
        const file = await anUpload(alice, await aTask())
        return { ...file, artifactKey: `${taskId}/${idOf(file.artifactKey)}` }
      },
      ...([400, 'artifactKey', /no upload of this worker/] as const),
    ],
    [
      'one whose URL expired before',
      async (alice, taskId) => {
        const key = await askFor(alice, taskId, aLocalFile())
        await api.sql`update service.uploads set expires_at = now() where id = ${idOf(key)}`
        return toKeyedFile(key, aLocalFile())
      },
      ...([409, 'artifactKey', /has expired: ask for another/] as const),
    ],
    [
      'one that has fewer bytes',
      async (alice, taskId) => {
        const key = await askFor(alice, taskId, aLocalFile())
        await putBytes(key, Buffer.from('too few'))
        return toKeyedFile(key, aLocalFile())
      },
      ...([400, 'sizeBytes', /has 7 bytes, not 20/] as const),
    ],
  ]

  test.each(lies)('%s', async (_name, make, status, field, text) => {
    const [taskId, alice] = [await aTask(), anActor()]
    const honest = await anUpload(alice, taskId, aLocalFile('honest'))
    const body = await aFromKeysBody(alice, taskId, [honest, await make(alice, taskId)])
    const refusal = { status, field: `artifacts.1.${field}`, text }
    await expectRefused(await send(taskId, body), refusal)
    // Beyond the free ones: instead of a price.
    for (let count = 0; count < 2; count += 1) await api.seed.submission(taskId, alice.address)
    await expectRefused(await send(taskId, body), refusal)
    const told = await send(taskId, await aFromKeysBody(alice, taskId, [honest]))
    expect({ status: told.status, amount: told.body.accepts?.[0]?.amount }).toEqual({ status: 402, amount: '1000' })
  })

  test('who did not sign hears nothing of a worker’s uploads', async () => {
    const [taskId, alice, mallory] = [await aTask(), anActor(), anActor()]
    const missing = toKeyedFile(await askFor(alice, taskId, aLocalFile()), aLocalFile())
    const body = { ...(await aFromKeysBody(mallory, taskId, [missing])), workerAddress: alice.address }
    await expectRefused(await send(taskId, body), { status: 403, field: 'signature' })
  })
})

describe('hashes', () => {
  const wrong = { sha256Hash: 'ab'.repeat(32), keccak256Hash: `0x${'cd'.repeat(32)}` as Hex }

  test('that are not the files’ are refused with the right ones, cost nothing and leave nothing; then these are taken', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const files = [await anUpload(alice, taskId), await anUpload(alice, taskId, aLocalFile('second'))]
    const [first, second] = files as [KeyedFile, KeyedFile]
    const before = await strayFiles()
    for (const name of ['sha256Hash', 'keccak256Hash'] as const) {
      const lie = { ...second, [name]: wrong[name] }
      const answer = await send(taskId, await aFromKeysBody(alice, taskId, [first, lie]))
      await expectRefused(answer, { status: 400, field: `artifacts.1.${name}`, text: second[name] })
    }
    expect(await strayFiles()).toEqual(before)
    expect(await api.sql`select id from service.intents where initiator = ${alice.address}`).toHaveLength(0)

    expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, files)))).toEqual(BOUND)
  })

  test('are kept: a file is read once, however often it is declared wrongly', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const file = await anUpload(alice, taskId, aLocalFile('read me once'))
    let reads = 0
    const sendCounted = serviceWith(({ hasher }) => ({
      hasher: {
        ...hasher,
        hash: (bytes) => {
          reads += 1
          return hasher.hash(bytes)
        },
      },
    }))
    for (let count = 0; count < 3; count += 1) {
      const lie = { ...file, sha256Hash: createHash('sha256').update(`${count}`).digest('hex') }
      const answer = await sendCounted(taskId, await aFromKeysBody(alice, taskId, [lie]))
      await expectRefused(answer, { status: 400, field: 'artifacts.0.sha256Hash' })
    }
    expect(toOutcome(await sendCounted(taskId, await aFromKeysBody(alice, taskId, [file])))).toEqual(BOUND)
    expect(reads).toBe(1)
  })

  test('under a key that was used with other ones are another request', async () => {
    const [taskId, alice, key] = [await aTask(), anActor(), randomUUID()]
    const file = await anUpload(alice, taskId)
    const lie = await aFromKeysBody(alice, taskId, [{ ...file, ...wrong }])
    const truth = await aFromKeysBody(alice, taskId, [file])
    await expectRefused(await send(taskId, lie, key), { status: 400 })
    const mismatch = { status: 409, reason: 'idempotency_key_payload_mismatch' }
    expect(toOutcome(await send(taskId, truth, key))).toEqual(mismatch)
    await expectRefused(await send(taskId, lie, key), { status: 400 })
    expect(toOutcome(await send(taskId, truth))).toEqual(BOUND)
  })

  test('of a paid submission are looked at before the payment is taken', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    for (let count = 0; count < 2; count += 1) await api.seed.submission(taskId, alice.address)
    const file = await anUpload(alice, taskId)
    const body = await aFromKeysBody(alice, taskId, [{ ...file, ...wrong }])
    const lie = await aPaidWrite(api, pathOf(taskId), { body, payer: alice }).roundTwo()
    await expectRefused(lie, { status: 400, field: 'artifacts.0.sha256Hash' })
    const bound = await api.sql`select id from service.intents where initiator = ${alice.address}`
    expect(bound).toHaveLength(0)
    const truth = await aFromKeysBody(alice, taskId, [file])
    const byBob = await aPaidWrite(api, pathOf(taskId), { body: truth, payer: anActor() }).roundTwo()
    expect(toOutcome(byBob)).toEqual({ status: 403, reason: 'payment_payer_mismatch' })
    expect(toOutcome(await aPaidWrite(api, pathOf(taskId), { body: truth, payer: alice }).roundTwo())).toEqual(BOUND)
  })
})

describe('a submission from keys', () => {
  test('stores copies of the uploads, in order, and uses the uploads up', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const zip = aLocalFile('PK..', { fileName: 'leaves.zip', mimeType: 'application/zip' })
    const files = [await anUpload(alice, taskId, aLocalFile('héllo')), await anUpload(alice, taskId, zip)]
    const [first, second] = files as [KeyedFile, KeyedFile]
    const body = await aFromKeysBody(alice, taskId, [first, { ...second, role: 'source', fileName: 'renamed.zip' }])
    expect(toOutcome(await send(taskId, body))).toEqual(BOUND)
    const artifacts = await api.sql`
      select f.*, c.intent_id, s.intent_id as stored_for
      from service.artifacts f
      join service.submission_content c using (task_id, worker, deliverable)
      join service.stored_files s on s.id = f.id
      where f.worker = ${alice.address} order by f.display_order`
    expect(artifacts).toMatchObject([
      { role: 'final', fileName: 'haiku.txt', mediaKind: 'text', textPreview: 'héllo', sizeBytes: 6n },
      { role: 'source', fileName: 'renamed.zip', mediaKind: 'archive', textPreview: null, sizeBytes: 4n },
    ])
    expect(artifacts.map(({ keccak256Hash }) => keccak256Hash)).toEqual(files.map((file) => file.keccak256Hash))
    for (const [index, { id, intentId, storedFor }] of artifacts.entries()) {
      const [upload] =
        await api.sql`select intent_id from service.uploads where id = ${idOf(files[index]?.artifactKey ?? '')}`
      expect([storedFor, upload?.intentId]).toEqual([intentId, intentId])
      expect(keccak256((await readArtifactBytes(api.deps, id)) ?? Buffer.alloc(0))).toBe(files[index]?.keccak256Hash)
    }
    const again = await send(taskId, body)
    await expectRefused(again, { status: 409, field: 'artifacts.0.artifactKey', text: /submitted already/ })
  })

  test('of two at once that share an upload exactly one is bound, and the other leaves nothing', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const files = await Promise.all(['a', 'b', 'c'].map((text) => anUpload(alice, taskId, aLocalFile(text))))
    const [a, b, c] = files as [KeyedFile, KeyedFile, KeyedFile]
    const before = await strayFiles()
    const answers = await Promise.all(
      [
        [a, b],
        [c, b],
      ].map(async (some) => send(taskId, await aFromKeysBody(alice, taskId, some))),
    )
    const outcomes = answers.map(toOutcome).sort((x, y) => String(x.reason).localeCompare(String(y.reason)))
    expect(outcomes).toEqual([BOUND, { status: 409, reason: 'payment_preflight_rejected' }])
    expect(answers.find(({ body }) => body.service.reason !== BOUND.reason)?.body.error).toMatch(/submitted already/)
    expect(await strayFiles()).toEqual(before)
    const stored = await api.sql<{ id: string }[]>`select id from service.artifacts where worker = ${alice.address}`
    expect(stored).toHaveLength(2)
    for (const { id } of stored) expect(await readArtifactBytes(api.deps, id)).not.toBeNull()
    // The third file is the loser’s own: it can be submitted still.
    const free = await api.sql<{ id: string }[]>`
      select id from service.uploads where worker = ${alice.address} and intent_id is null`
    expect(free).toHaveLength(1)
    const left = files.find(({ artifactKey }) => idOf(artifactKey) === free[0]?.id)
    expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, left ? [left] : [])))).toEqual(BOUND)
  })

  test('whose upload changes while it is looked at is told to come again, and leaves nothing', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const file = await anUpload(alice, taskId)
    const before = await strayFiles()
    const sendChanged = serviceWith(({ storage }) => ({
      storage: {
        ...storage,
        adopt: async (upload) => {
          throw new ObjectChangedError(upload)
        },
      },
    }))
    const answer = await sendChanged(taskId, await aFromKeysBody(alice, taskId, [file]))
    await expectRefused(answer, { status: 409, field: 'artifacts.0.artifactKey', text: /changed/ })
    expect(await strayFiles()).toEqual(before)
  })

  test('that finds too many being read is told to come again with the same key', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const file = await anUpload(alice, taskId)
    const uploadTurns = createSemaphore({ atOnce: 0, maxWaiting: 0, fact: 'The service reads too many uploads now' })
    const answer = await serviceWith(() => ({ uploadSemaphore: uploadTurns }))(
      taskId,
      await aFromKeysBody(alice, taskId, [file]),
    )
    expect(toOutcome(answer)).toEqual({ status: 503, reason: 'idempotency_check_unavailable' })
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(answer.body.error).toMatch(/too many uploads now; nothing was charged/)
  })

  test('that cannot be read in time goes on with the next request where it was', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const files = [
      await anUpload(alice, taskId, aLocalFile('quick')),
      await anUpload(alice, taskId, aLocalFile('slow')),
    ]
    const body = await aFromKeysBody(alice, taskId, files)
    const before = await strayFiles()
    const read: string[] = []
    let ended = 0
    /** Gives nothing, for as long as it is asked. */
    const silent = () =>
      new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          // Storage that is slow, not one that keeps this process busy.
          await delay(10)
          controller.enqueue(new Uint8Array())
        },
        cancel: () => {
          ended += 1
        },
      })
    const sendSlow = serviceWith(({ storage, config }) => ({
      config: { ...config, UPLOAD_READ_MS: 2500, WRITE_ANSWER_MS: 1000 },
      storage: {
        ...storage,
        open: async (name, range) => {
          const text = String(await readArtifactBytes(api.deps, name.id))
          if (range === undefined) read.push(text)
          return text === 'slow' ? silent() : await storage.open(name, range)
        },
      },
    }))
    const answer = await sendSlow(taskId, body)
    expect(toOutcome(answer)).toEqual({ status: 503, reason: 'idempotency_check_unavailable' })
    expect(answer.body.error).toMatch(/has not read all files of this submission yet; nothing was charged/)
    expect(await strayFiles()).toEqual(before)
    expect(read).toEqual(['quick', 'slow'])
    await sendSlow(taskId, body)
    expect(read).toEqual(['quick', 'slow', 'slow'])
    expect(ended).toBe(2)
    expect(toOutcome(await send(taskId, body))).toEqual(BOUND)
  })
})

describe('a signature that is bound to the files', () => {
  const suffixesOf = async (worker: Actor) =>
    (
      await api.sql<{ suffix: string }[]>`
        select suffix from service.intents where initiator = ${worker.address} order by created_at`
    ).map(({ suffix }) => suffix)

  test('goes on chain with its tail, in the order of the body alone', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const files = [await anUpload(alice, taskId), await anUpload(alice, taskId)]
    const keys = files.map(({ artifactKey }) => artifactKey)
    const { signature } = await aFromKeysBody(alice, taskId, files, 'bound')
    const swapped = { ...(await aFromKeysBody(alice, taskId, files.toReversed())), signature }
    await expectRefused(await send(taskId, swapped), { status: 403, field: 'signature' })
    const other = await anUpload(alice, taskId)
    const replaced = { ...(await aFromKeysBody(alice, taskId, [files[0] as KeyedFile, other])), signature }
    await expectRefused(await send(taskId, replaced), { status: 403, field: 'signature' })

    expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, files, 'bound')))).toEqual(BOUND)
    expect(await suffixesOf(alice)).toEqual([`:${keys.join(',')}`])
  })

  test('once sent makes plain ones worthless, on both ways, but not for an upload URL', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const files = await Promise.all(['a', 'b', 'c'].map((text) => anUpload(alice, taskId, aLocalFile(text))))
    const [first, second, third] = files as [KeyedFile, KeyedFile, KeyedFile]
    const plain = await aFromKeysBody(alice, taskId, [second])
    expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, [first], 'bound')))).toEqual(BOUND)

    const message = `"service:submit:${taskId}:${second.artifactKey}"`
    await expectRefused(await send(taskId, plain), { status: 403, field: 'signature', text: message })
    const withFiles = await api.post(`/api/tasks/${taskId}/submissions`, await aSubmissionBody(alice, taskId), {
      'X-Service-Idempotency-Key': randomUUID(),
    })
    await expectRefused(withFiles, { status: 403, field: 'signature', text: /from-keys.*submit:0x\w+:<key1>,<key2>/ })
    await askFor(alice, taskId, aLocalFile())
    expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, [second], 'bound')))).toEqual(BOUND)

    // The payment proves its payer.
    const paid = await aFromKeysBody(alice, taskId, [third])
    expect(toOutcome(await aPaidWrite(api, pathOf(taskId), { body: paid, payer: alice }).roundTwo())).toEqual(BOUND)
    // It is about this worker and this task.
    const [elsewhere, bob] = [await aTask(), anActor()]
    for (const [worker, task] of [
      [alice, elsewhere],
      [bob, taskId],
    ] as const) {
      const body = await aFromKeysBody(worker, task, [await anUpload(worker, task)])
      expect(toOutcome(await send(task, body))).toEqual(BOUND)
    }
  })

  test('whose submission failed binds no worker', async () => {
    const [taskId, alice] = [await aTask(), anActor()]
    const [first, second] = [await anUpload(alice, taskId), await anUpload(alice, taskId)]
    await send(taskId, await aFromKeysBody(alice, taskId, [first], 'bound'))
    await api.sql`update service.intents set status = 'failed' where initiator = ${alice.address}`
    expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, [second])))).toEqual(BOUND)
    expect(await suffixesOf(alice)).toHaveLength(2)
  })
})

test('an assigned worker delivers from keys, once', async () => {
  const alice = anActor()
  const taskId = await aTask({ mode: 'claim', status: 'claimed', worker: alice.address, expiryTime: START + 1000n })
  const file = await anUpload(alice, taskId)
  expect(toOutcome(await send(taskId, await aFromKeysBody(alice, taskId, [file])))).toEqual(BOUND)
})
