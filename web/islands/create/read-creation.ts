import { MIN_REWARD, MOST_TASK_HOURS, type WriteInput } from '../../../client/src/index.ts'
import { parseUsdc, usdcText } from '../../words/amount.ts'
import type { SheetRow } from '../write/sheet-words.ts'

/** A problem with a field of the form. `name` is the name of the field, and `message` a sentence for a person. */
export interface Problem {
  name: string
  message: string
}

const HOUR_MS = 3_600_000

/**
 * Converts the fields of the form to the arguments of the write that creates a task. Returns the problems instead if a
 * field is wrong.
 * @param now current time, in Unix milliseconds
 */
export function readCreation(
  form: FormData,
  now: number,
): { input: WriteInput<'createTask'>; effects: SheetRow[] } | { problems: Problem[] } {
  const problems: Problem[] = []
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const refuse = (name: string, message: string) => {
    problems.push({ name, message })
    return undefined
  }
  const mode = text('mode') as NonNullable<WriteInput<'createTask'>['mode']>
  const description = text('description')
  if (description === '') refuse('description', 'Say what you need.')
  const amount = (name: string, maximum?: bigint): bigint | undefined => {
    const units = parseUsdc(text(name))
    if (units === null) return refuse(name, 'An amount such as 12.50.')
    if (units < MIN_REWARD) return refuse(name, `At least ${usdcText(MIN_REWARD)} USDC.`)
    return maximum !== undefined && units > maximum
      ? refuse(name, `At most the reward, ${usdcText(maximum)} USDC.`)
      : units
  }
  const number = (name: string, minimum: number, maximum: number): number | undefined => {
    const value = Number(text(name))
    return text(name) !== '' && value >= minimum && value <= maximum
      ? value
      : refuse(name, `From ${minimum} to ${maximum}.`)
  }
  const address = (name: string): string | undefined => {
    if (text(name) === '') return undefined
    return isAddress(text(name)) ? text(name) : refuse(name, 'An address: 0x and 40 hex digits.')
  }
  const reward = amount('reward')
  const duration = text('duration') === 'until' ? hoursUntil(text('until'), now) : Number(text('duration'))
  if (!(duration > 0 && duration <= MOST_TASK_HOURS)) refuse('until', 'A time from now to a year ahead.')
  const tags = [
    ...new Set(
      text('tags')
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    ),
  ]
  if (tags.length > 10) refuse('tags', 'At most 10 tags.')
  const auctionType = text('auctionType') as NonNullable<WriteInput<'createTask'>['auctionType']>
  const isAuction = mode === 'auction'
  const floor = isAuction && auctionType === 'dutch' ? amount('auctionFloorPrice', reward) : undefined
  const start = isAuction && auctionType === 'reverse_dutch' ? amount('auctionStartPrice', reward) : undefined
  const bidDeadline = isAuction ? number('bidDeadline', 0.1, duration) : undefined
  const pitchHours = mode === 'pitch' ? number('pitchDeadline', 0.1, duration) : undefined
  const stakeBps = mode === 'claim' ? percent(number('stake', 0, 100)) : 0
  const isPrivate = text('taskVisibility') === 'private'
  const viewers = isPrivate
    ? text('allowedViewers')
        .split(/\s+/)
        .filter((one) => one !== '')
    : []
  if (!viewers.every(isAddress)) refuse('allowedViewers', 'Addresses, one a line.')
  const password = isPrivate ? String(form.get('accessPassword') ?? '') : ''
  if (isPrivate && password === '' && viewers.length === 0) refuse('accessPassword', 'A password or invited wallets.')
  if (password !== '' && password.length < 8) refuse('accessPassword', '8 characters or more.')
  const evaluator = address('evaluator')
  const evaluatorFeeBps = evaluator === undefined ? undefined : percent(number('evaluatorFee', 0, 100))
  const disputeResolver = evaluator === undefined ? undefined : address('disputeResolver')
  const hookContract = address('hookContract')
  const hookData = text('hookData')
  if (hookData !== '' && !/^0x(?:[0-9a-fA-F]{2})*$/.test(hookData)) refuse('hookData', '0x and pairs of hex digits.')
  if (problems.length > 0 || reward === undefined) return { problems }
  const metric = (name: string) => (mode === 'benchmark' && text(name) !== '' ? text(name) : undefined)
  const input = withoutEmpty({
    description,
    reward: reward.toString(),
    duration,
    tags,
    mode,
    taskVisibility: text('taskVisibility'),
    submissionVisibility: text('submissionVisibility'),
    stakeRequired: stakeBps > 0,
    stakeBps,
    ...(isAuction && { auctionType, bidDeadline, maxPrice: reward.toString() }),
    auctionFloorPrice: floor?.toString(),
    auctionStartPrice: start?.toString(),
    pitchDeadline: pitchHours === undefined ? undefined : pitchHours * 3_600,
    metricDescription: metric('metricDescription'),
    metricTarget: metric('metricTarget'),
    evaluator,
    evaluatorFeeBps,
    disputeResolver,
    hookContract,
    hookData: hookData === '' ? undefined : hookData,
    allowedViewers: viewers.length === 0 ? undefined : viewers,
    accessPassword: password === '' ? undefined : password,
  })
  const end = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    now + duration * HOUR_MS,
  )
  return { input: input as WriteInput<'createTask'>, effects: [['Ends', end]] }
}

function hoursUntil(text: string, now: number): number {
  return Math.round(((new Date(text).getTime() - now) / HOUR_MS) * 100) / 100
}

function percent(value: number | undefined): number {
  return Math.round((value ?? 0) * 100)
}

function isAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
