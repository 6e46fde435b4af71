const MAX_TITLE = 80

/**
 * Returns the title of a task for lists: the first line of the description, cut to 80 characters. Returns null if that
 * line is empty. Example: `taskTitleOf('Fix the bug\nSteps: ...')` returns `'Fix the bug'`.
 */
export function taskTitleOf(description: string | null): string | null {
  const [firstLine = ''] = description?.split(/\r\n|[\n\r\u2028\u2029]/, 1) ?? []
  const title = [...firstLine].slice(0, MAX_TITLE).join('')
  return title === '' ? null : title
}
