/** Sentences of the reasons, one a line, of cases before special courts, and of single courts; the slots are template.ts's. */

/** Labour courts. */
export const LABOUR = `
A preposta {Ff} apresentou {prova} e admitiu {fato}.
O encarregado {Fm}, do setor de {setor}, presenciou {fato} em {lugar} de {U}.
A filial de {U}, no ramo de {ramo}, mantinha {maq} e {maq} em uso.
O pagamento de {parcela} e de {parcela} cessou em {D}.
O trabalhador {Fm} manuseava {agente} e {agente} sem treinamento.
A norma coletiva firmada por {E} trata de {parcela}, e não de {parcela}.
O autor exibiu {doc}, fotografia e conversa com {X}.
Os autos de origem, de número {proc}, tramitaram em {U}.
O reclamante atuava no setor de {setor} e {recebia/percebia/auferia/ganhava} {S} por mês.
A empresa {E} não pagava {parcela} nem {parcela}.
São indevidos os reflexos em {parcela}, por falta de pedido específico.
A perita {Ff} {vistoriou/inspecionou/visitou/percorreu} o setor de {setor} da unidade de {U}.
O empregado transportava {merc} entre {U} e {U} em veículo {marca}.
O reclamante, {ocup}, substituiu {Fm} nas férias e faz jus ao salário do substituído.
O depoente {Fm} trabalhou como {ocup} no setor de {setor} até {D}.
As mensagens trocadas com {X} confirmam o pagamento de {parcela}.
A norma interna de {E} previa {parcela} a cada doze meses.
A cooperativa {E} intermediava mão de obra para o setor de {setor}.
A dispensa de {F} foi {comunicada/informada/avisada/noticiada} por {telefone/mensagem/carta/telegrama/e-mail/bilhete}, na cidade de {U}.
A venda da unidade de {U} a {E} configura sucessão de empregadores.
A oitiva de {X} por carta precatória em {U} foi dispensada.
O contrato celebrado com {E} tinha por objeto {obra} no município de {U}.
O reclamante foi {admitido/contratado/recrutado} por {E} em {D}, na função de {ocup}, com salário de {S}.
A reclamante trabalhava em {lugar} de {U}, como {ocupa}.
O Tribunal Regional, com amparo {n prova}, {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}.
Delimitado no acórdão regional que {q}, não há violação {dL}.
O preposto de {E} declarou desconhecer {fato}, o que atrai a confissão.
A testemunha {Fm}, {ocup}, {confirmou/relatou/narrou/mencionou/referiu/recordou/admitiu/detalhou} {fato}.
O empregado {operava/manejava/acionava/utilizava/manuseava} {maq} no setor de {ramo} de {E}.
Os recibos de {fls} mostram o pagamento mensal de {S}.
A reclamada {E} {encerrou/paralisou/suspendeu/transferiu/terceirizou} as atividades na unidade de {U} em {D}.
A norma coletiva da categoria, vigente em {U}, não autoriza {I quantia} {quantia}.
Não provado {fato}, são indevidas as parcelas pleiteadas por {F}.
A prova oral dividida se resolve contra quem tinha o ônus de {I prova_bem} {requisito}.
O Juízo da Vara do Trabalho de {U} {P decide} {pedido}.
A empresa {E}, do ramo de {ramo}, integra a cadeia produtiva.
A reclamada não {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {prova}, {embora/conquanto/apesar de/mesmo} intimada a fazê-lo em {D}.
O autor prestou serviços a {E} por intermédio de {E}.
O contrato de trabalho vigorou até {D}, com projeção do aviso.
As parcelas vencidas antes do quinquênio estão prescritas.
O supervisor {Fm} tinha poderes para {admitir/contratar/promover/advertir/suspender} e dispensar.
Recolhidas as contribuições sobre {quantia}, nada mais é devido à União.
O laudo do assistente {Fm} diverge do oficial apenas quanto ao uso de {maq}.
O valor provisório da condenação foi fixado em {R}.
O sindicato de {U} atuou como substituto na ação {proc}.
O vale-transporte e o tíquete eram fornecidos por {E} e não integram o salário.
`;

export const TST = `
Decisão em sentido diverso exigiria o reexame {d prova}, vedado pela Súmula 126 do TST.
Incidem a Súmula 333 do TST e o art. 896, § 7º, da CLT como óbices ao conhecimento.
A causa não oferece transcendência em nenhum dos indicadores legais.
O recurso de revista não observou o art. 896, § 1º-A, I, da CLT quanto {aT}.
Agravo de instrumento que não consegue infirmar os fundamentos do despacho agravado.
A Corte Regional não emitiu tese sobre {requisito}, o que atrai a Súmula 297 do TST.
O aresto do TRT da {n}ª Região não indica a fonte de publicação (Súmula 337 do TST).
Precedente da SbDI-1 no mesmo sentido ({Q}).
Recurso de revista de que não se conhece no tema {dT}.
`;

export const TRT = `
Nega-se provimento ao recurso da reclamada quanto {aT}.
Ao juízo de origem cabe valorar a prova colhida de viva voz em {U}.
A sentença da Vara do Trabalho de {U} ({id}) {P honra} {norma}.
O documento juntado sob o {id} {V mostra} {fato}.
Conforme a ata de audiência, o preposto {Fm} admitiu {fato}.
O acórdão da Turma deste Regional, no processo {proc}, tratou de caso semelhante.
Agravo de petição conhecido quanto {a quantia}, delimitados os valores em {R}.
`;

export const STJ = `
Rever a conclusão do Tribunal de origem quanto {aT} demandaria reexame de prova (Súmula 7 do STJ).
Estando o acórdão de acordo com a jurisprudência do STJ, incide a Súmula 83.
A falta de prequestionamento atrai, por analogia, as Súmulas 282 e 356 do STF.
O dissídio não foi demonstrado, por ausência de cotejo analítico entre os julgados.
Não há ofensa ao art. 1.022 do CPC quando o Tribunal de origem decide a questão de modo fundamentado.
A divergência com julgado do TJ/{uf} não parte da mesma base fática.
O Tribunal de Justiça do Estado de {estado} {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}.
O Tribunal local assentou {requisito}, premissa que não pode ser revista nesta via.
Agravo em recurso especial que não impugna a incidência da Súmula 83 do STJ (Súmula 182 do STJ).
A deficiência na fundamentação do apelo atrai a Súmula 284 do STF.
No mesmo sentido: {Q}.
Julgado submetido ao rito dos recursos repetitivos: {Q}.
`;

export const STF = `
A agravante {E}, do ramo de {ramo}, insiste em que {q}.
O subprocurador-geral {Fm} opinou pelo não conhecimento.
O voto do relator foi acompanhado por {X}, com ressalva quanto {aT}.
O Município de {U} interveio como interessado em {D}.
A advogada {Ff} sustentou oralmente em favor de {E}.
O julgamento foi suspenso em {D} por pedido de vista de {X}.
A verificação da ofensa alegada exigiria exame da legislação ordinária e dos fatos (Súmula 279 do STF).
O Tribunal de Justiça do Estado de {estado} {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}.
A matéria tem natureza infraconstitucional, sem repercussão geral.
Ausência de argumento capaz de infirmar a decisão agravada ({Q}).
A Procuradoria-Geral da República opinou pelo desprovimento.
O Supremo Tribunal Federal já {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q} ({Q}).
A Assembleia Legislativa do Estado de {estado} {prestou informações/defendeu o ato/pediu a denegação/arguiu preliminar/confirmou o ato} em {D}.
A Câmara Municipal de {U} aprovou o diploma em {D}.
Não {cabe/compete/incumbe/toca} ao Judiciário substituir-se ao legislador para ampliar {quantia}.
Precedente do Plenário: {Q}.
O amicus curiae {E} defendeu que {q}.
`;

export const STATE = `
Os autos de origem, de número {proc}, tramitaram em {U}.
A sentença da Comarca de {U} deve ser {mantida/preservada/confirmada/conservada/prestigiada} por seus próprios fundamentos.
Rejeitada a preliminar de nulidade por falta {d ato}.
V.v.: A prova dos autos {V mostra} que {q}.
O Município de {U} não comprovou {fato}.
O agravante não trouxe {prova}, cuja análise {cabe/compete/incumbe/toca} ao Juízo da Comarca de {U}.
Conforme precedente deste Tribunal ({Q}), {q}.
A oficial de justiça {Ff} certificou {fato} na {rua}.
O imóvel da {rua}, no bairro {bairro}, foi avaliado em {R}.
`;

export const FEDERAL = `
A servidora {Ff}, da agência de {U}, exigiu {doc}.
O vizinho {Fm}, {ocup}, confirmou o plantio de {cult} e a criação de {cult}.
O companheiro {Fm} trabalhava em {lugar} de {U} até {D}.
A empresa {E}, do ramo de {ramo}, fechou em {D}.
Não consta dos autos {doc} em nome da parte autora.
O recolhimento feito em {D} por {E} não foi computado.
A turma recursal da Seção Judiciária de {estado} {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}.
O INSS indeferiu o requerimento apresentado em {D} na agência de {U}.
A autora exerce a atividade de {ocupa} em {U}.
O vínculo com {E}, de {D} a {D}, consta do cadastro nacional.
As parcelas vencidas serão pagas por requisição, com correção desde {D}.
Incide a Súmula 42 da TNU, que veda o reexame de matéria de fato.
Aplica-se a Questão de Ordem 13 da TNU, pois a decisão segue a jurisprudência do colegiado.
A sentença do Juizado Especial Federal de {U} {P decide} {pedido}.
O benefício foi cessado em {D} sem nova perícia.
`;

/** Against the Union or its bodies, outside social security. */
export const UNION = `
A autora {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {doc} e {doc}.
O servidor {Fm} {recebia/percebia/auferia/ganhava} {parcela}.
A União {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
A empresa {E}, do ramo de {ramo}, impetrou mandado de segurança em {U}.
O autor {Fm}, {ocup}, ajuizou a ação em {D}.
A sentença da Subseção Judiciária de {U} {P decide} {pedido}.
Os autores {residem/moram/vivem} no bairro {bairro}, em {U}.
O juiz federal {X} antecipou a tutela em {D}.
A contadora {Ff} {apurou/estimou/calculou/quantificou/indicou/encontrou} {quantia} em {R}.
O laudo (evento {n}) {V mostra} que {q}.
A ré {E} contestou o pedido e negou {fato}.
`;

/** Abstract control of norms. */
export const CONTROL = `
A lei impugnada foi publicada em {D} e trata de {ramo}.
O Governador do Estado de {estado} prestou informações e defendeu a norma.
A Advocacia-Geral da União manifestou-se em {D} pela improcedência.
A Procuradoria-Geral da República opinou em sentido contrário, com base {nL}.
A entidade requerente, {E}, demonstrou a pertinência temática.
O amicus curiae {X} trouxe dados do Município de {U}.
O precedente invocado ({Q}) cuida de lei diversa.
A norma atacada não disciplina a venda de {merc}, mas o comércio de {merc}.
A modulação foi proposta para preservar atos praticados até {D}.
Não se admite, em controle abstrato, o exame de fatos ocorridos em {U}.
A medida cautelar foi deferida em {D} e referendada pelo Plenário.
A iniciativa parlamentar não ofende {norma}.
A lei do Estado de {estado} apenas complementa a norma geral da União.
O vício formal alcança também o decreto de {D}, que trata de {obra}.
O Plenário já afastou norma idêntica do Estado de {estado} ({Q}).
A exigência imposta a quem atua como {ocup} {P viola} {norma}.
Cabe ao legislador {I honra} {norma} ao dispor sobre {merc}.
`;
