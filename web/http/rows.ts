import type { components } from '../../client/src/index.ts'

type Schemas = components['schemas']

export type Task = Schemas['Task']
export type TaskDetail = Schemas['TaskDetail']
export type Submission = Schemas['Submission']
export type Pitch = Schemas['Pitch']
export type Bid = Schemas['Bid']
export type Proof = Schemas['Proof']
export type Claim = Schemas['Claim']
export type Feedback = Schemas['Feedback']
export type RequesterStats = Schemas['RequesterStats']
export type Vault = Schemas['SponsoredTaskVault']
