/** A list of an answer from which rows were removed. The list had `of` rows, and `shown` of them remain. */
export interface Cut {
  /** Name of the field with the list, such as `items`; empty if the answer itself is the list. */
  path: string
  shown: number
  of: number
}

/** An answer that fits into its maximum size, and the lists that were shortened. */
export interface FittedAnswer {
  data: unknown
  cut: Cut[]
}

/** The maximum size of an answer in bytes, and the function that returns the size of an answer's data. */
export interface Bound {
  sizeOf: (data: unknown) => number
  limitBytes: number
}

/**
 * Maximum length of a description in a list, characters. The tool `getTask` returns the whole text of a description.
 */
const DESCRIPTION_IN_LIST = 300
/** Maximum lengths of texts, in characters. They are tried one after the other until an answer fits. */
const TEXT_BOUNDS = [2000, 300, 100]

/**
 * Shortens an answer until it fits. First, descriptions in lists are shortened. If that is not enough, rows are removed
 * from the end of the longest lists, and then all texts are shortened. A shortened text ends with the number of missing
 * characters. `cut` names each list with removed rows.
 *
 * Example: a list of 20 tasks of 13 kB each, with a maximum of 80 kB, keeps all rows, and its descriptions have 300
 * characters.
 * @param bound the maximum size, and the function that measures data together with its envelope
 */
export function fitAnswer(answer: unknown, bound: Bound): FittedAnswer {
  const data = shortenDescriptions(answer)
  const fittedAnswer = bound.sizeOf(data) <= bound.limitBytes ? { data, cut: [] } : dropRows(data, bound)
  if (bound.sizeOf(fittedAnswer.data) <= bound.limitBytes) return fittedAnswer
  for (const length of TEXT_BOUNDS) {
    const shortData = cutTexts(fittedAnswer.data, length)
    if (bound.sizeOf(shortData) <= bound.limitBytes) return { data: shortData, cut: fittedAnswer.cut }
  }
  return { data: null, cut: [{ path: '', shown: 0, of: 1 }] }
}

/** Shortens the field `description` in the rows of an answer's lists. */
function shortenDescriptions(answer: unknown): unknown {
  return mapLists(answer, (rows) =>
    rows.map((row) =>
      isObject(row) && typeof row.description === 'string'
        ? { ...row, description: cutText(row.description, DESCRIPTION_IN_LIST) }
        : row,
    ),
  )
}

/**
 * Removes rows from the end of the longest lists until the answer fits or no list has more than one row. The size of
 * the answer decides how many rows are removed at once, because measuring the size after every single row would be
 * slow.
 */
function dropRows(answer: unknown, { sizeOf, limitBytes }: Bound): FittedAnswer {
  const lists = listsOf(answer)
  const keptCounts = new Map(lists.map(([path, rows]) => [path, rows.length]))
  const build = () => mapLists(answer, (rows, path) => rows.slice(0, keptCounts.get(path)))
  let data = answer
  for (let size = sizeOf(data); size > limitBytes; size = sizeOf(data)) {
    const share = Math.min(limitBytes / size, 7 / 8)
    const longestCount = Math.max(...keptCounts.values())
    if (longestCount <= 1) break
    // Short lists stay whole while there are longer ones.
    for (const [path, count] of keptCounts)
      if (count * 2 > longestCount) keptCounts.set(path, Math.max(1, Math.floor(count * share)))
    data = build()
  }
  const cut = lists.flatMap(([path, { length: of }]) => {
    const shownCount = keptCounts.get(path) ?? of
    return shownCount < of ? [{ path, shown: shownCount, of }] : []
  })
  return { data, cut }
}

/**
 * Returns the lists of an answer with their paths: the answer itself if it is a list, otherwise its fields that are
 * lists of objects.
 */
function listsOf(answer: unknown): [path: string, rows: readonly unknown[]][] {
  if (Array.isArray(answer)) return [['', answer]]
  if (!isObject(answer)) return []
  return Object.entries(answer).flatMap(([name, value]): [string, readonly unknown[]][] =>
    Array.isArray(value) && value.some(isObject) ? [[name, value]] : [],
  )
}

function mapLists(answer: unknown, change: (rows: readonly unknown[], path: string) => unknown): unknown {
  if (Array.isArray(answer)) return change(answer, '')
  if (!isObject(answer)) return answer
  const changedEntries = listsOf(answer).map(([path, rows]) => [path, change(rows, path)] as const)
  return { ...answer, ...Object.fromEntries(changedEntries) }
}

function cutTexts(value: unknown, maxLength: number): unknown {
  if (typeof value === 'string') return cutText(value, maxLength)
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, maxLength))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cutTexts(member, maxLength)]))
}

function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // A cut must not split a surrogate pair.
  const shownText = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
  return `${shownText}… (${text.length - shownText.length} characters more)`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
