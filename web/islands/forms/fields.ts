import type { components } from '../../../client/src/index.ts'

export type TaskDetail = components['schemas']['TaskDetail']
export type Offer = components['schemas']['PendingAction']
export type Submission = components['schemas']['Submission']
export type Pitch = components['schemas']['Pitch']

/** The data from which the form of an action is built. */
export interface ActionContext {
  task: TaskDetail
  /**
   * The action's entry in the task's `pendingActions`. Null if `pendingActions` has no entry for the action: an
   * objection to a delivery, for example, has none.
   */
  offer: Offer | null
  /** Submissions that were not rejected; empty if the form does not need submissions. */
  submissions: Submission[]
  pitches: Pitch[]
}

interface Labelled {
  name: string
  label: string
  hint?: string
  isOptional?: boolean
}

/** A field of a form. The comment beside each kind names the type of the field's value. */
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

/** A worker's part of the reward. `part`: basis points or base units of USDC, according to the unit of the field. */
export interface Share {
  worker: string
  part: bigint
}

/** Values of a form by the names of its fields. */
export type Values = Readonly<Record<string, unknown>>
