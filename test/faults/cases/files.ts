import { cp, rename } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Hex } from 'viem'
import { type Failpoint, sweepPoints } from '../../../api/failpoint.ts'
import { createPayingClient } from '../../support/paying-client.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { someBytes, toFromKeys } from '../client/classes.ts'
import type { PreparedWrite } from '../client/operations.ts'
import { putUpload, requestUpload, type Upload } from '../client/uploads.ts'
import type { FaultCase, FaultContext } from '../fault-case.ts'
import { countForgettable, countUnneeded, passDay, temporaryBytes } from '../inject/files.ts'
import { describe, expectAll, firstOf, topologies, untilAnswered } from '../inject/steps.ts'

/** The service would refuse what it announces no room for, and never fill the disk. */
const noReserve = { STORAGE_RESERVE_BYTES: '0' }
/** Of the disk that is filled, bytes. */
const DISK_BYTES = 2_000_000

/** Files on their way into storage, to a write, and out of storage again. */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'files: killed when the bytes of a PUT are stored',
    topology: 1,
    short: true,
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
    return { name, topology, short: topology === 2, run: twoKeys }
  }),
  ...sweepPoints.flatMap((point): FaultCase[] => [
    {
      name: `files: the sweep is killed ${point}`,
      topology: 1,
      short: point === 'after-take',
      run: (context) => killSweep(context, point),
    },
    {
      name: `files: the sweep is frozen ${point}`,
      topology: 2,
      short: false,
      fewest: 1,
      run: (context) => freezeSweep(context, point),
    },
  ]),
]

/** A worker of a task of their own, who has asked for an upload of these bytes. */
async function askToUpload(context: FaultContext, bytes: Buffer) {
  const [write] = await context.prepare('free')
  if (write === undefined) throw new Error('no write was prepared')
  const taskId = write.effect.args.taskId as Hex
  const { account } = write
  return { taskId, account, upload: await requestUpload(await context.reach(), { taskId, account, bytes }) }
}

type Asked = Awaited<ReturnType<typeof askToUpload>>

async function submissionOf(context: FaultContext, { taskId, account, upload }: Asked): Promise<PreparedWrite> {
  const draft = await toFromKeys({ taskId, account, files: [upload.file], isBound: true }, context.random.uuid())
  return context.adopt(draft, 'upload')
}

/** The client knows nothing of its upload; it sends it again, is told that it is there, and submits it. */
async function killAfterUpload(context: FaultContext): Promise<void> {
  const victim = firstOf(context)
  const asked = await askToUpload(context, someBytes(context.random))
  await victim.stop()
  await victim.start({ FAILPOINT: 'after-upload' })
  const first = putUpload(await context.reach(), asked.upload)
  await victim.untilDead()
  if ((await first) !== null) throw new Error('an upload was answered by a process that is dead')
  await restartAndSubmit(context, asked, 409)
}

/** Nothing of half an upload is there afterwards; the whole one is taken. */
async function killInUpload(context: FaultContext): Promise<void> {
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
 * A request that needs room is told that there is none; nothing of it stays; with room again, the same requests go through.
 */
async function fullDisk(context: FaultContext): Promise<void> {
  const { environment } = context
  const victim = firstOf(context)
  await victim.stop()
  const disk = await mountSmallDisk({ sizeBytes: DISK_BYTES, directory: environment.artifactDirectory })
  if (disk === null) return context.note('nothing was filled: this user may not mount a small disk')
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
      throw new Error('there is room, and no file is taken')
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

async function restartAndSubmit(context: FaultContext, asked: Asked, expected: number): Promise<void> {
  const repairedAt = performance.now()
  await firstOf(context).start()
  // Until the dead process's turn at these bytes is over, others are told that they are coming.
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

/** One of two writes with the same upload happens, the other is refused. */
async function twoKeys(context: FaultContext): Promise<void> {
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
 * What a sweep of tomorrow finds: an upload that was never submitted, one that was never sent, one that was submitted, and a file whose
 * process died before it was bound. No process is up afterwards.
 */
async function leaveFiles(context: FaultContext): Promise<void> {
  const [unsubmitted, submitted] = [
    await askToUpload(context, someBytes(context.random)),
    await askToUpload(context, someBytes(context.random)),
  ]
  await askToUpload(context, someBytes(context.random))
  for (const { upload } of [unsubmitted, submitted]) await putUpload(await context.reach(), upload)
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

async function expectSwept(context: FaultContext): Promise<void> {
  const { environment } = context
  await context.until('files without a use to be removed', async () => (await countUnneeded(environment)) === 0)
}

async function passAnotherDay(context: FaultContext): Promise<void> {
  const { environment } = context
  await passDay(environment)
  await context.until('rows of removed files to go', async () => (await countForgettable(environment)) === 0)
}

/** The next process goes on where the killed one was. */
async function killSweep(context: FaultContext, point: Failpoint): Promise<void> {
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

/** Another process sweeps the same files meanwhile; the frozen one goes on with what it believes. */
async function freezeSweep(context: FaultContext, point: Failpoint): Promise<void> {
  const [pausedProcess, other] = context.replicas
  if (pausedProcess === undefined || other === undefined) throw new Error('a paused process needs a process beside it')
  await leaveFiles(context)
  await reachSweepPoint(context, point, 'stop')
  await pausedProcess.untilPaused()
  const launchedAt = await other.start()
  context.prefer(other)
  await expectSwept(context)
  context.noteRecovery(performance.now() - launchedAt)
  const fresh = await askToUpload(context, someBytes(context.random))
  await putUpload(await context.reach(), fresh.upload)
  pausedProcess.resume()
  expectAll([await context.perform(await submissionOf(context, fresh))], 'completed')
  await context.quiesce()
  await passAnotherDay(context)
}

/** Starts the first process with a failpoint of the sweep, and lets a day pass, or two, so that it is met. */
async function reachSweepPoint(context: FaultContext, point: Failpoint, action: 'kill' | 'stop'): Promise<void> {
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
