/** One message of the Postgres wire protocol (version 3). */
export interface PostgresMessage {
  /** The type byte as a character; empty for a client's first message, which has none. */
  type: string
  /** Without type and length. */
  body: Buffer
  /** Type, length and body. */
  bytes: Buffer
}

const lengthBytes = 4

/**
 * Splits a stream into messages. An incomplete message is completed by later calls.
 * @param startsUntyped a client's stream begins with a message without a type byte
 */
export function createMessageReader({
  startsUntyped,
}: {
  startsUntyped: boolean
}): (chunk: Buffer) => PostgresMessage[] {
  let rest: Buffer = Buffer.alloc(0)
  let isUntyped = startsUntyped
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: PostgresMessage[] = []
    for (;;) {
      const typeBytes = isUntyped ? 0 : 1
      if (rest.length < typeBytes + lengthBytes) return messages
      const end = typeBytes + rest.readInt32BE(typeBytes)
      if (rest.length < end) return messages
      const bytes = rest.subarray(0, end)
      const type = isUntyped ? '' : String.fromCharCode(bytes.readUInt8(0))
      messages.push({ type, body: bytes.subarray(typeBytes + lengthBytes), bytes })
      rest = rest.subarray(end)
      isUntyped = false
    }
  }
}

/**
 * Follows a client's messages: the statements it runs, prepared ones by their text.
 * @returns the text of the statement that a message starts; null when it starts none
 */
export function createStatementReader(): (message: PostgresMessage) => string | null {
  const prepared = new Map<string, string>()
  return ({ type, body }) => {
    switch (type) {
      case 'Q':
        return textAt(body, 0).text
      case 'P': {
        const name = textAt(body, 0)
        prepared.set(name.text, textAt(body, name.next).text)
        return null
      }
      case 'B': {
        const portal = textAt(body, 0)
        return prepared.get(textAt(body, portal.next).text) ?? null
      }
      default:
        return null
    }
  }
}

/** A zero-terminated text, and the offset of the next field. */
export function textAt(body: Buffer, from: number): { text: string; next: number } {
  const end = body.indexOf(0, from)
  return { text: body.toString('utf8', from, end), next: end + 1 }
}
