import { medianOf } from '../figures/statistics.ts'

/** A write that was answered; times in milliseconds since the epoch. */
export interface SentWrite {
  intentId: string
  sentAt: number
  answeredAt: number
}

/** Where the time of a write goes, medians in milliseconds. */
export interface Stages {
  /** Parse, look-up, rules, payment, simulation, bind; outbox, second simulation, signature. */
  requestToSigned: number
  /** Sent, mined, receipt seen, result stored. */
  signedToCompleted: number
  /** The indexer passes the block; the answer. */
  completedToAnswer: number
}

/** Reads the service's own log for when each write was signed and completed. */
export function stagesOf(log: string, writes: readonly SentWrite[]): Stages {
  const [signed, completed] = [timesOf(log, 'broadcast'), timesOf(log, 'completed')]
  const rows = writes.flatMap(({ intentId, sentAt, answeredAt }) => {
    const [signedAt, completedAt] = [signed.get(intentId), completed.get(intentId)]
    if (signedAt === undefined || completedAt === undefined) return []
    return [[signedAt - sentAt, completedAt - signedAt, answeredAt - completedAt] as const]
  })
  if (rows.length < writes.length) throw new Error(`the log tells of ${rows.length} of ${writes.length} writes`)
  return {
    requestToSigned: medianOf(rows.map(([first]) => first)),
    signedToCompleted: medianOf(rows.map(([, second]) => second)),
    completedToAnswer: medianOf(rows.map(([, , third]) => third)),
  }
}

/** Intent id to the time of its last step to a status. */
function timesOf(log: string, status: string): Map<string, number> {
  const times = new Map<string, number>()
  for (const line of log.split('\n')) {
    if (!line.includes('"msg":"intent"') || !line.includes(`"to":"${status}"`)) continue
    const { intentId, time } = JSON.parse(line) as { intentId: string; time: number }
    times.set(intentId, time)
  }
  return times
}
