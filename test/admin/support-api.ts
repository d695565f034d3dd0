interface Answer {
  readonly status: number;
  // Tests read what they check.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Calls the admin listener; by default the API of its console. A body goes as JSON, and a text as it is. */
export function adminApi({ adminUrl }: { readonly adminUrl: string }, under = '/console/api/') {
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(adminUrl + under + path, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}
