/** A serialized JSON answer. */
export class ReadyJson {
  /** The bytes of the text. */
  readonly bytes: Buffer<ArrayBuffer>
  /** The entity tag of the text. */
  readonly tag: string
  /** The state that the answer was built from, in the form of `toStateText`; null: it is not cached. */
  readonly state: string | null

  constructor({ bytes, tag, state }: Pick<ReadyJson, 'bytes' | 'tag' | 'state'>) {
    this.bytes = bytes
    this.tag = tag
    this.state = state
  }
}
