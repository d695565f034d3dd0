import { CAMINHOS, type Rota } from '../contract/rotas.ts';
import { EXEMPLO_ID } from './examples.ts';

const QUERY = 'q=dano+moral&tribunal=stj,tst';
const URLS: Record<Rota, string> = {
  cobertura: CAMINHOS.cobertura,
  busca: `${CAMINHOS.busca}?${QUERY}`,
  decisao: CAMINHOS.decisao.replace('{id}', EXEMPLO_ID),
};
const TYPESCRIPT: Record<Rota, string> = {
  cobertura: `const { bases } = await api.cobertura();
for (const { base, total } of bases) console.log(base, total ?? 'ainda sem total');`,
  busca: `for await (const pagina of api.paginas({ q: 'dano moral', tribunal: ['stj', 'tst'] })) {
  if (!pagina.completa) console.error(pagina.avisos.join('\\n'));
  for (const { id, processo } of pagina.itens) console.log(id, processo);
}`,
  decisao: `const { ementa } = await api.decisao('${EXEMPLO_ID}');
console.log(ementa);`,
};
const PYTHON: Record<Rota, string> = {
  cobertura: `for base in resposta.json()["bases"]:
    print(base["base"], base.get("total", "ainda sem total"))`,
  busca: `pagina = resposta.json()
for item in pagina["itens"]:
    print(item["id"], item["processo"])
print("sem resposta:", pagina["bases_sem_resposta"])`,
  decisao: `print(resposta.json()["ementa"])`,
};

/** The request in three languages, in the viewer's format, with the key from the environment. */
export function samplesOf(rota: Rota, server: string) {
  const url = server + URLS[rota];
  const needsKey = rota !== 'cobertura';
  const header = needsKey ? '-H "Authorization: Bearer $JURISPRUDENCIA_KEY" ' : '';
  const options = needsKey ? ', key: process.env.JURISPRUDENCIA_KEY' : '';
  const headers = needsKey
    ? ',\n    headers={"Authorization": f"Bearer {os.environ[\'JURISPRUDENCIA_KEY\']}"}'
    : '';
  return [
    { lang: 'bash', label: 'curl', source: `curl --fail-with-body ${header}'${url}'` },
    {
      lang: 'typescript',
      label: 'TypeScript',
      source: `import { Jurisprudencia } from 'jurisprudencia/client';

const api = new Jurisprudencia({ url: '${server}'${options} });
${TYPESCRIPT[rota]}`,
    },
    {
      lang: 'python',
      label: 'Python',
      source: `${needsKey ? 'import os\n' : ''}import httpx

resposta = httpx.get(
    "${url}"${headers},
    timeout=60,
)
resposta.raise_for_status()
${PYTHON[rota]}`,
    },
  ];
}
