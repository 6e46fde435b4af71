/** Stands for a value that cannot be checked, because the chain does not contain the value. `why` is the reason. */
export class Unknowable {
  readonly why: string

  constructor(why: string) {
    this.why = why
  }
}

/**
 * The expected value of a field for which the chain allows more than one value. Example: a price that changes with the
 * time.
 *
 * `chain`: one value that the chain allows, which a finding shows. `accepts`: returns true if the chain allows the
 * service's value, false if not, and null if no check is possible. `why`: a text for the finding that says what limits
 * the value.
 */
export class Told {
  readonly chain: unknown
  readonly accepts: (value: unknown) => boolean | null
  readonly why: string

  constructor(chain: unknown, accepts: (value: unknown) => boolean | null, why: string) {
    this.chain = chain
    this.accepts = accepts
    this.why = why
  }
}

/**
 * The expected value of each field of an answer of type `T`, according to the chain. Each field of `T` must have an
 * expected value, or the code does not compile.
 */
export type Expected<T> =
  | Unknowable
  | Told
  | (T extends readonly (infer Row)[]
      ? readonly Expected<Row>[]
      : T extends object
        ? { readonly [Name in keyof T]-?: Expected<Exclude<T[Name], undefined>> }
        : T)

/**
 * The result of comparing one field. `path`: the field's name, such as `awards[0].rank` or
 * `submissions[<id>].rejectedAt`; empty if the finding is about the whole answer.
 */
export interface Finding {
  path: string
  status: 'verified' | 'differs' | 'unknowable'
  service: unknown
  chain: unknown
  why: string
}

/** Compares a value from the service with the expected value, field by field. Ignores the case of hex digits. */
export function compare(path: string, service: unknown, expected: unknown): Finding[] {
  if (expected instanceof Unknowable) return [{ path, status: 'unknowable', service, chain: null, why: expected.why }]
  if (expected instanceof Told) {
    const { chain, why } = expected
    const isAccepted = expected.accepts(service)
    const status = isAccepted === null ? 'unknowable' : isAccepted ? 'verified' : 'differs'
    return [{ path, status, service, chain, why }]
  }
  if (Array.isArray(expected) && Array.isArray(service)) {
    const length = Math.max(expected.length, service.length)
    return Array.from({ length }, (_, at) => at).flatMap((at) =>
      compareElement(`${path}[${at}]`, { service, expected, at }),
    )
  }
  if (isObject(expected) && isObject(service)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(service)])]
    return names.flatMap((name) => {
      const memberPath = path === '' ? name : `${path}.${name}`
      if (name in expected) return compare(memberPath, service[name], expected[name])
      // The service has a field that this version of the client does not have.
      return compare(memberPath, service[name], new Unknowable('this version of the client has no rule for it'))
    })
  }
  const isEqual = textOf(service) === textOf(expected)
  return [
    {
      path,
      status: isEqual ? 'verified' : 'differs',
      service,
      chain: plain(expected),
      why: isEqual ? '' : 'the chain says otherwise',
    },
  ]
}

function compareElement(
  path: string,
  { service, expected, at }: { service: readonly unknown[]; expected: readonly unknown[]; at: number },
): Finding[] {
  if (at >= expected.length) return [invented(path, service[at])]
  if (at >= service.length) return [omitted(path, plain(expected[at]))]
  return compare(path, service[at], expected[at])
}

/** Returns the finding for a row that the chain does not contain. */
export function invented(path: string, service: unknown): Finding {
  return { path, status: 'differs', service, chain: null, why: 'the chain has no such row' }
}

/** Returns the finding for a row that the chain contains, but the service's answer does not. */
export function omitted(path: string, chain: unknown): Finding {
  return { path, status: 'differs', service: null, chain, why: 'the answer leaves it out' }
}

/** Returns the expected value in a form for display. Fields that the chain does not contain are left out. */
export function plain(value: unknown): unknown {
  if (value instanceof Unknowable) return undefined
  if (value instanceof Told) return value.chain
  if (Array.isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member instanceof Unknowable ? [] : [[name, plain(member)]])),
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value)) return JSON.stringify(value.toLowerCase())
  return JSON.stringify(value) ?? 'absent'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
