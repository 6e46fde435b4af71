import type { components } from '../../../client/src/index.ts'

export type TaskDetail = components['schemas']['TaskDetail']
export type Offer = components['schemas']['PendingAction']
export type Submission = components['schemas']['Submission']
export type Pitch = components['schemas']['Pitch']

/** The data that the form of an action is built from. */
export interface ActionContext {
  task: TaskDetail
  /** Offer of the action; null: an act that no task offers, such as an objection. */
  offer: Offer | null
  /** Active submissions; empty for actions other than decisions. */
  submissions: Submission[]
  pitches: Pitch[]
}

interface Labelled {
  name: string
  label: string
  hint?: string
  isOptional?: boolean
}

/** A field of a form. The type of its value is in brackets. */
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

/** Values of a form by field. */
export type Values = Readonly<Record<string, unknown>>
