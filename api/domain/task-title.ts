const MAX_TITLE = 80

/** What a task is called in lists of other resources: the first line of its description, cut to 80 characters. */
export function taskTitleOf(description: string | null): string | null {
  const [firstLine = ''] = description?.split(/\r\n|[\n\r\u2028\u2029]/, 1) ?? []
  const title = [...firstLine].slice(0, MAX_TITLE).join('')
  return title === '' ? null : title
}
