import type { components } from '../../../client/src/index.ts'

export type TaskDetail = components['schemas']['TaskDetail']
export type Offer = components['schemas']['PendingAction']
export type Submission = components['schemas']['Submission']
export type Pitch = components['schemas']['Pitch']

/** What the form of an action is made from. */
export interface ActionContext {
  task: TaskDetail
  /** Null: an act that no task offers, such as an objection. */
  offer: Offer | null
  /** Active submissions; of other actions than decisions none. */
  submissions: Submission[]
  pitches: Pitch[]
}

interface Labelled {
  name: string
  label: string
  hint?: string
  isOptional?: boolean
}

/** A field of a form. What it gives is in brackets. */
export type Field =
  | (Labelled & { kind: 'text'; most: number; value?: string }) // string
  | (Labelled & { kind: 'lines'; most: number; value?: string }) // string, of several lines
  | (Labelled & { kind: 'usdc'; most?: bigint; least?: bigint; value?: bigint }) // base units as a string
  | (Labelled & { kind: 'number'; least: number; most: number; value?: number }) // number
  | (Labelled & { kind: 'integer'; most: number }) // digits as a string
  | (Labelled & { kind: 'address' }) // string
  | (Labelled & { kind: 'time' }) // Unix seconds
  | (Labelled & { kind: 'choice'; options: readonly (readonly [value: string, label: string, about?: string])[] }) // string
  | (Labelled & { kind: 'files' }) // File[]
  | (Labelled & { kind: 'shares'; workers: readonly string[]; unit: 'percent' | 'usdc'; total: bigint }) // Share[]

/** A part of the reward. `part`: basis points, or base units of USDC. */
export interface Share {
  worker: string
  part: bigint
}

/** What a person has put into a form. */
export type Values = Readonly<Record<string, unknown>>
