import { cp, rename } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Hex } from 'viem'
import { type Failpoint, sweepPoints } from '../../../api/failpoint.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { someBytes, toFromKeys } from '../client/classes.ts'
import type { PreparedWrite } from '../client/operations.ts'
import { putUpload, requestUpload, type Upload } from '../client/uploads.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { countPurgeable, countUnneeded, passDay, temporaryBytes } from '../inject/files.ts'
import { describe, expectAll, firstOf, topologies, untilAnswered } from '../inject/steps.ts'

/** With the default reserve the service refuses uploads before the disk is full. */
const noReserve = { STORAGE_RESERVE_BYTES: '0' }
/** Size of the disk that the case fills, bytes. */
const DISK_BYTES = 2_000_000

/** Files on their way into storage, to a write, and out of storage again. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'files: killed when the bytes of a PUT are stored',
    topology: 1,
    short: false,
    run: killAfterUpload,
  },
  { name: 'files: killed in the middle of a PUT', topology: 1, short: false, run: killInUpload },
  {
    name: 'files: the disk is full in the middle of a PUT',
    topology: 1,
    short: false,
    needsOwnEnvironment: true,
    isOutage: true,
    settings: noReserve,
    run: fullDisk,
  },
  ...topologies.map((topology): FaultCase => {
    const name = `files: one upload under two keys, ${describe(topology)}`
    return { name, topology, short: false, run: twoKeys }
  }),
  ...sweepPoints.flatMap((point): FaultCase[] => [
    {
      name: `files: the sweep is killed ${point}`,
      topology: 1,
      short: false,
      run: (context) => killSweep(context, point),
    },
    {
      name: `files: the sweep is paused ${point}`,
      topology: 2,
      short: false,
      fewest: 1,
      run: (context) => pauseSweep(context, point),
    },
  ]),
]

/** A task with one worker, who has requested an upload of these bytes. */
async function askToUpload(context: FaultCaseContext, bytes: Buffer) {
  const [write] = await context.prepare('free')
  if (write === undefined) throw new Error('no write was prepared')
  const taskId = write.effect.args.taskId as Hex
  const { account } = write
  return { taskId, account, upload: await requestUpload(await context.reach(), { taskId, account, bytes }) }
}

type Asked = Awaited<ReturnType<typeof askToUpload>>

async function submissionOf(context: FaultCaseContext, { taskId, account, upload }: Asked): Promise<PreparedWrite> {
  const draft = await toFromKeys({ taskId, account, files: [upload.file], isBound: true }, context.random.uuid())
  return context.toWrite(draft, 'upload')
}

/** The client has no answer to its upload; it repeats the upload, gets 409 because the bytes are stored, and submits it. */
async function killAfterUpload(context: FaultCaseContext): Promise<void> {
  const victim = firstOf(context)
  const asked = await askToUpload(context, someBytes(context.random))
  await victim.stop()
  await victim.start({ FAILPOINT: 'after-upload' })
  const first = putUpload(await context.reach(), asked.upload)
  await victim.untilDead()
  if ((await first) !== null) throw new Error('an upload was answered by a process that is dead')
  await restartAndSubmit(context, asked, 409)
}

/** No part of an interrupted upload is left; the complete upload is accepted. */
async function killInUpload(context: FaultCaseContext): Promise<void> {
  const victim = firstOf(context)
  const asked = await askToUpload(context, Buffer.alloc(300_000, 7))
  const socket = await sendHalf(asked.upload)
  await context.until(
    'half an upload to be on disk',
    async () => (await temporaryBytes(context.environment)) >= 100_000,
  )
  await victim.kill()
  socket.destroy()
  await restartAndSubmit(context, asked, 200)
  await passDay(context.environment)
  await victim.stop()
  await victim.start()
  await context.until('the part to be gone', async () => (await temporaryBytes(context.environment)) === 0)
}

/**
 * A request that needs space is answered 507 and leaves no bytes; once there is space, the same requests succeed.
 */
async function fullDisk(context: FaultCaseContext): Promise<void> {
  const { environment } = context
  const victim = firstOf(context)
  await victim.stop()
  const disk = await mountSmallDisk({ sizeBytes: DISK_BYTES, directory: environment.artifactDirectory })
  if (disk === null) return context.note('nothing was filled: this user has no permission to mount a small disk')
  try {
    await victim.start(noReserve)
    const asked = await askToUpload(context, Buffer.alloc(DISK_BYTES / 4, 7))
    const writes = [...(await context.prepare('free', 2)), ...(await context.prepare('upload', 1))]
    const socket = await sendHalf(asked.upload)
    await context.until('half an upload to be on disk', async () => (await temporaryBytes(environment)) >= 100_000)
    await disk.fill()
    socket.write(asked.upload.bytes.subarray(asked.upload.bytes.length / 2))
    await context.until('half an upload to be gone', async () => (await temporaryBytes(environment)) === 0)
    socket.destroy()
    await disk.fill()
    await context.until('a PUT to a full disk to be refused', async () => {
      return (await putUpload(await context.reach(), asked.upload)) === 507
    })
    const outcomes = writes.map((write) => context.perform(write))
    await untilAnswered(context, writes, (answered) => answered === 507)
    await disk.empty()
    const repairedAt = performance.now()
    expectAll(await Promise.all(outcomes), 'completed')
    context.noteRecovery(performance.now() - repairedAt)
    if ((await putUpload(await context.reach(), asked.upload)) !== 200)
      throw new Error('a disk with space refused a file')
    expectAll([await context.perform(await submissionOf(context, asked))], 'completed')
    await context.quiesce()
  } finally {
    await victim.stop()
    const kept = `${environment.artifactDirectory}-kept`
    await cp(environment.artifactDirectory, kept, { recursive: true })
    await disk.stop()
    await rename(kept, environment.artifactDirectory)
  }
}

async function restartAndSubmit(context: FaultCaseContext, asked: Asked, expected: number): Promise<void> {
  const repairedAt = performance.now()
  await firstOf(context).start()
  // Until the claim of the ended process on these bytes expires, other requests are answered that the bytes are on the way.
  await context.until(`a second PUT to be answered ${expected}`, async () => {
    return (await putUpload(await context.reach(), asked.upload)) === expected
  })
  expectAll([await context.perform(await submissionOf(context, asked))], 'completed')
  context.noteRecovery(performance.now() - repairedAt)
}

async function sendHalf({ url, headers, bytes }: Upload) {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const lines = Object.entries({ ...headers, Host: hostname, 'Content-Length': String(bytes.length) })
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  )
  socket.write(bytes.subarray(0, bytes.length / 2))
  return socket
}

/** Of two writes with the same upload one completes, the other is refused. */
async function twoKeys(context: FaultCaseContext): Promise<void> {
  const asked = await askToUpload(context, someBytes(context.random))
  const status = await putUpload(await context.reach(), asked.upload)
  if (status !== 200) throw new Error(`an upload was answered ${status}`)
  const writes = [await submissionOf(context, asked), await submissionOf(context, asked)]
  const replies = await Promise.all(
    writes.map(async ({ call, account }, index) => {
      const replica = context.replicas[index % context.replicas.length] ?? firstOf(context)
      const { fetch } = await context.reach(replica)
      return await createPayingClient({ baseUrl: replica.url, account, fetch }).send(call)
    }),
  )
  const winner = replies.findIndex((reply) => reply.status === 200)
  const [won, lost] = [writes[winner], replies[1 - winner]]
  const reason = lost?.body.service?.reason
  if (won === undefined || lost?.status !== 409 || reason !== 'payment_preflight_rejected') {
    throw new Error(`two writes with one upload were answered ${JSON.stringify(replies.map(({ body }) => body))}`)
  }
  expectAll([await context.perform(won)], 'completed')
}

/**
 * What a sweep finds a day later: an upload that was not submitted, one that was not sent, one that was submitted, and a
 * file whose process ended before the write was bound. No process is up afterwards.
 */
async function leaveFiles(context: FaultCaseContext): Promise<void> {
  const [notSubmitted, submitted] = [
    await askToUpload(context, someBytes(context.random)),
    await askToUpload(context, someBytes(context.random)),
  ]
  await askToUpload(context, someBytes(context.random))
  for (const { upload } of [notSubmitted, submitted]) await putUpload(await context.reach(), upload)
  const victim = firstOf(context)
  context.prefer(victim)
  const write = await submissionOf(context, submitted)
  await victim.stop()
  await victim.start({ FAILPOINT: 'after-store' })
  const outcome = context.perform(write)
  await victim.untilDead()
  await victim.start()
  expectAll([await outcome], 'completed')
  await context.quiesce()
  await context.until('uploads of submissions to be gone', async () => (await countUnneeded(context.environment)) === 0)
  await victim.stop()
  for (const other of context.replicas) if (other.state === 'up') await other.stop()
}

async function expectSwept(context: FaultCaseContext): Promise<void> {
  const { environment } = context
  await context.until('unneeded files to be removed', async () => (await countUnneeded(environment)) === 0)
}

async function passAnotherDay(context: FaultCaseContext): Promise<void> {
  const { environment } = context
  await passDay(environment)
  await context.until('rows of deleted files to be purged', async () => (await countPurgeable(environment)) === 0)
}

/** The next process continues where the killed one stopped. */
async function killSweep(context: FaultCaseContext, point: Failpoint): Promise<void> {
  const victim = firstOf(context)
  await leaveFiles(context)
  await reachSweepPoint(context, point, 'kill')
  await victim.untilDead()
  const repairedAt = performance.now()
  await victim.start()
  await expectSwept(context)
  context.noteRecovery(performance.now() - repairedAt)
  await passAnotherDay(context)
}

/** Another process sweeps the same files meanwhile; the paused one then continues with the rows it has read. */
async function pauseSweep(context: FaultCaseContext, point: Failpoint): Promise<void> {
  const [paused, other] = context.replicas
  if (paused === undefined || other === undefined) throw new Error('a paused process needs another one beside it')
  await leaveFiles(context)
  await reachSweepPoint(context, point, 'stop')
  await paused.untilPaused()
  const launchedAt = await other.start()
  context.prefer(other)
  await expectSwept(context)
  context.noteRecovery(performance.now() - launchedAt)
  const fresh = await askToUpload(context, someBytes(context.random))
  await putUpload(await context.reach(), fresh.upload)
  paused.resume()
  expectAll([await context.perform(await submissionOf(context, fresh))], 'completed')
  await context.quiesce()
  await passAnotherDay(context)
}

/** Starts the first process with a failpoint of the sweep, and lets one or two days pass, so that it reaches the point. */
async function reachSweepPoint(context: FaultCaseContext, point: Failpoint, action: 'kill' | 'stop'): Promise<void> {
  const victim = firstOf(context)
  if (point === 'before-forget') {
    await passDay(context.environment)
    await victim.start()
    await expectSwept(context)
    await victim.stop()
  }
  await victim.start({ FAILPOINT: `${point}:${action}` })
  await passDay(context.environment)
}
