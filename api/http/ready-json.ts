/** A serialized JSON answer. */
export class ReadyJson {
  /** The serialized text as bytes. */
  readonly bytes: Buffer<ArrayBuffer>
  /** The entity tag of the text. */
  readonly tag: string
  /**
   * The version text of the rows from which the answer was built (see `toStateText`). Null if the answer is not cached.
   */
  readonly state: string | null

  constructor({ bytes, tag, state }: Pick<ReadyJson, 'bytes' | 'tag' | 'state'>) {
    this.bytes = bytes
    this.tag = tag
    this.state = state
  }
}
