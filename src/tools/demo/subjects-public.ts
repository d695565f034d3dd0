/** Tax, administrative, constitutional, environmental and public-health subjects; notation in subject.ts. */
export const PUBLIC_SUBJECTS = `
# execucao-fiscal | tributario | DIREITO TRIBUTÁRIO
t a execução fiscal|a certidão de dívida ativa|a prescrição intercorrente|o redirecionamento da execução fiscal|a dissolução irregular|a exceção de pré-executividade|o crédito tributário|o lançamento de ofício|a dívida ativa
h EXECUÇÃO FISCAL|PRESCRIÇÃO INTERCORRENTE|CERTIDÃO DE DÍVIDA ATIVA|REDIRECIONAMENTO|SÓCIO-GERENTE|EXCEÇÃO DE PRÉ-EXECUTIVIDADE|DISSOLUÇÃO IRREGULAR|NULIDADE DA CDA|VALOR ÍNFIMO
s A execução fiscal ficou paralisada por mais de {n} anos, o que impõe a prescrição intercorrente.
s A dissolução irregular de {E}, certificada pelo oficial, autoriza o redirecionamento da execução fiscal.
s A certidão de dívida ativa no valor de {R} preenche os requisitos legais e goza de presunção de liquidez.
s É legítima a extinção da execução fiscal de baixo valor, à míngua de interesse de agir.
s O despacho que ordenou a citação de {F} interrompeu o prazo prescricional.
q o prazo de suspensão começa com a ciência da Fazenda|o gerente responde pelos débitos da empresa encerrada sem baixa|o título indica a origem da dívida|o valor cobrado justifica o custo do processo
l art. 40 da Lei 6.830/1980|art. 135, III, do CTN|art. 174 do CTN|Súmula 435 do STJ|Tema 1.184 do STF|art. 202 do CTN|Súmula 314 do STJ
# icms | tributario constitucional | DIREITO TRIBUTÁRIO
t o ICMS|o creditamento|a base de cálculo|a substituição tributária|o diferencial de alíquota|a não cumulatividade|o benefício fiscal|a guerra fiscal|a energia elétrica
h ICMS|DIFERENCIAL DE ALÍQUOTA|SUBSTITUIÇÃO TRIBUTÁRIA|CREDITAMENTO|NÃO CUMULATIVIDADE|BENEFÍCIO FISCAL|ANTERIORIDADE|EXCLUSÃO DA BASE DE CÁLCULO|MANDADO DE SEGURANÇA
s O ICMS não compõe a base de cálculo das contribuições, na linha do que fixou a Suprema Corte.
s A saída de {merc} para estabelecimento do mesmo titular não é fato gerador do ICMS.
s O crédito relativo à compra de {merc} só é admitido se o insumo se consome no processo produtivo.
s A cobrança do diferencial de alíquota exigia lei complementar, vigente a partir de {D}.
s A autuada {E} comercializa {merc} na {rua}.
s Os fiscais {apreenderam/recolheram/localizaram/encontraram/confiscaram} {merc} em depósito de {E}.
q o bem se destina ao ativo permanente|o imposto destacado integra o faturamento|a mercadoria foi apenas deslocada entre filiais|o incentivo foi aprovado em convênio
l art. 155, § 2º, da Constituição Federal|Lei Complementar 87/1996|Tema 69 do STF|Tema 1.093 do STF|Lei Complementar 190/2022|Súmula 166 do STJ
# federal-tributos | tributario previdencia | DIREITO TRIBUTÁRIO
t o imposto de renda|a contribuição previdenciária patronal|a isenção por moléstia grave|o PIS e a COFINS|a compensação tributária|o mandado de segurança|a denúncia espontânea|a verba indenizatória|o lucro presumido
h IMPOSTO DE RENDA|MOLÉSTIA GRAVE|ISENÇÃO|CONTRIBUIÇÃO PREVIDENCIÁRIA|PIS E COFINS|COMPENSAÇÃO|DENÚNCIA ESPONTÂNEA|VERBA INDENIZATÓRIA|REPETIÇÃO DE INDÉBITO
s A isenção do imposto de renda alcança o portador de {doenca} ainda que ausentes sintomas recentes.
s A contribuição previdenciária não incide sobre verba de natureza indenizatória paga por {E}.
s A compensação só pode ocorrer depois do trânsito em julgado da decisão.
s O conceito de insumo deve ser aferido pela essencialidade de {merc} para a atividade.
s A autuada {E} comercializa {merc} na {rua}.
s O contribuinte comercializa {merc} e recolhe {quantia}.
q a parcela paga ao empregado tem natureza salarial|a doença dispensa laudo oficial|o gasto constitui insumo da atividade|o pagamento espontâneo exclui a multa
l art. 6º, XIV, da Lei 7.713/1988|art. 22 da Lei 8.212/1991|art. 170-A do CTN|art. 138 do CTN|Súmula 598 do STJ|art. 195, I, da Constituição Federal
# municipal-tributos | tributario | DIREITO TRIBUTÁRIO MUNICIPAL
t o IPTU|o ISSQN|o ITBI|a imunidade tributária|a taxa de lixo|o valor venal|a planta de valores|a contribuição de melhoria|o alvará de funcionamento
h IPTU|ISSQN|ITBI|IMUNIDADE TRIBUTÁRIA|VALOR VENAL|TAXA DE COLETA DE LIXO|LOCAL DA PRESTAÇÃO DO SERVIÇO|LEGITIMIDADE PASSIVA|ENTIDADE BENEFICENTE
s O Município de {U} não pode majorar o valor venal por decreto acima da inflação.
s O ISSQN sobre serviços no ramo de {ramo} é devido no local em que situado o estabelecimento prestador.
s A imunidade tributária da entidade beneficente alcança o imóvel alugado, se a renda serve às suas finalidades.
s A base de cálculo do ITBI é o valor declarado da transação, de {R}, salvo processo próprio.
s O estabelecimento de {E}, na {rua}, em {U}, foi interditado pela vigilância sanitária.
q o imóvel está situado em zona urbana|a entidade aplica suas rendas nas finalidades essenciais|o serviço foi prestado em outro território|o fisco pode arbitrar o valor da transação
l art. 156 da Constituição Federal|Lei Complementar 116/2003|art. 150, VI, da Constituição Federal|Súmula 160 do STJ|Tema 1.113 do STJ|art. 34 do CTN
# concurso | administrativo constitucional | DIREITO ADMINISTRATIVO
t o concurso público|o edital do certame|a nomeação de candidato|o cadastro de reserva|o teste físico|a banca examinadora|o exame psicotécnico|as cotas raciais|a preterição
h CONCURSO PÚBLICO|CADASTRO DE RESERVA|PRETERIÇÃO|DIREITO SUBJETIVO À NOMEAÇÃO|TESTE DE APTIDÃO FÍSICA|COTAS RACIAIS|HETEROIDENTIFICAÇÃO|QUESTÃO OBJETIVA|VINCULAÇÃO AO EDITAL
s O candidato aprovado fora das vagas tem mera expectativa, salvo preterição arbitrária provada.
s O Judiciário não pode rever a nota da questão sobre {disc} dada pela banca examinadora.
s O exame psicotécnico precisa de previsão em lei e de critério objetivo.
s A contratação temporária para o cargo de {ocup} em {U} demonstra a necessidade do serviço.
s O edital de {U} previa uma vaga para {ocup}.
q o candidato aprovado no número de vagas deve ser nomeado|a questão cobrou matéria fora do programa|a contratação de temporários burlou a ordem de classificação|a comissão fundamentou a exclusão do candidato
l art. 37, II, da Constituição Federal|Tema 784 do STF|Tema 485 do STF|Lei 12.990/2014|Súmula Vinculante 44 do STF|art. 37, IX, da Constituição Federal
# servidor | administrativo | DIREITO ADMINISTRATIVO
t o servidor público|o processo administrativo disciplinar|a gratificação de desempenho|o adicional por tempo de serviço|a pena de demissão|a licença-prêmio|a remoção de servidor|o quinquênio|a paridade de proventos
h SERVIDOR PÚBLICO|PROCESSO ADMINISTRATIVO DISCIPLINAR|DEMISSÃO|LICENÇA-PRÊMIO|CONVERSÃO EM PECÚNIA|GRATIFICAÇÃO|PARIDADE|REMOÇÃO|PISO DO MAGISTÉRIO|PRESCRIÇÃO QUINQUENAL
s A licença-prêmio não gozada converte-se em pecúnia, sob pena de enriquecimento da administração.
s O processo administrativo disciplinar observou a defesa, e a pena imposta a {F} é proporcional.
s O servidor do Município de {U} não provou o exercício de tarefas de {ocup}.
s A gratificação de natureza geral estende-se aos inativos com paridade.
s O servidor {Fm}, do setor de {setor}, {recebia/percebia/auferia/ganhava} {parcela}.
s O servidor {Fm}, lotado em {lugar} de {U}, exerce a função de {ocup}.
q a vantagem tem caráter geral e se estende aos inativos|o período não gozado deve ser indenizado|a penalidade imposta é proporcional|o ato de remoção foi motivado
l art. 41 da Constituição Federal|Lei 8.112/1990|Decreto 20.910/1932|Súmula 85 do STJ|Tema 635 do STF|Súmula Vinculante 37 do STF|Lei 11.738/2008
# improbidade | administrativo penal | IMPROBIDADE ADMINISTRATIVA
t o ato de improbidade|o dolo específico|o dano ao erário|a lei de improbidade|a contratação direta|a fraude à licitação|o superfaturamento|a indisponibilidade de bens|a ação civil pública
h IMPROBIDADE ADMINISTRATIVA|DOLO ESPECÍFICO|LEI 14.230/2021|DANO AO ERÁRIO|DISPENSA DE LICITAÇÃO|INDISPONIBILIDADE DE BENS|RETROATIVIDADE|EX-PREFEITO|AÇÃO CIVIL PÚBLICA
s O ex-prefeito de {U}, {Fm}, contratou {E} sem licitação e sem justificar o preço.
s A nova redação exige dolo específico e alcança os processos sem trânsito em julgado.
s A indisponibilidade de bens até {R} depende de perigo concreto de dilapidação.
s A irregularidade formal no convênio firmado com {E}, sem má-fé, não é ato de improbidade.
s O contrato com {E} tem por objeto {obra} no bairro {bairro}.
q o agente atuou com vontade livre e consciente de lesar|o preço contratado superou o de mercado|a nova lei alcança fatos anteriores|o serviço foi de fato prestado
l art. 10 da Lei 8.429/1992|art. 11 da Lei 8.429/92|Lei 14.230/2021|Tema 1.199 do STF|art. 37, § 4º, da Constituição Federal|art. 16 da Lei 8.429/1992
# licitacao | administrativo | DIREITO ADMINISTRATIVO
t o contrato administrativo|o equilíbrio econômico-financeiro|a licitação|o pregão eletrônico|a concessão de serviço público|o reajuste de preços|a desapropriação|a justa indenização|os juros compensatórios
h CONTRATO ADMINISTRATIVO|LICITAÇÃO|PREGÃO|EQUILÍBRIO ECONÔMICO-FINANCEIRO|DESAPROPRIAÇÃO|JUSTA INDENIZAÇÃO|JUROS COMPENSATÓRIOS|CONCESSÃO RODOVIÁRIA|HABILITAÇÃO TÉCNICA
s A empresa {E} executou a obra de {obra} e faz jus ao pagamento de {R}.
s A justa indenização deve refletir o valor contemporâneo ao laudo, e não o da oferta.
s A desclassificação no pregão por falha sanável ofende a competitividade.
s A concessionária da rodovia que corta {U} responde pela faixa de domínio.
s O contrato com {E} tem por objeto {obra} no bairro {bairro}.
s A associação dos moradores do bairro {bairro} pede {obra} na {rua}.
s O estabelecimento de {E}, na {rua}, em {U}, foi interditado pela vigilância sanitária.
q a alta dos insumos rompeu a equação do contrato|a empresa comprovou a capacidade exigida|o expropriado tem direito a juros|a administração podia rescindir o ajuste sem indenizar
l art. 65 da Lei 8.666/1993|Lei 14.133/2021|Decreto-Lei 3.365/1941|art. 5º, XXIV, da Constituição Federal|Lei 8.987/1995|Súmula 618 do STF
# medicamento | saude constitucional administrativo | DIREITO À SAÚDE
t o fornecimento de medicamento|o medicamento de alto custo|o Sistema Único de Saúde|a responsabilidade solidária dos entes|a hipossuficiência do paciente|o medicamento não incorporado|o relatório médico|a internação compulsória|o bloqueio de verbas públicas
h FORNECIMENTO DE MEDICAMENTO|DIREITO À SAÚDE|MEDICAMENTO NÃO INCORPORADO AO SUS|RESPONSABILIDADE SOLIDÁRIA|REGISTRO NA ANVISA|LAUDO MÉDICO|BLOQUEIO DE VERBAS|TRATAMENTO ONCOLÓGICO|ALTO CUSTO
s O medicamento {med}, prescrito para {doenca}, não integra as listas do Sistema Único de Saúde.
s O relatório médico não demonstra a ineficácia dos fármacos ofertados na rede pública de {U}.
s A responsabilidade pelo fornecimento de medicamento é solidária, cabendo ao juiz dirigir o cumprimento.
s O bloqueio de {R} é meio idôneo para garantir a entrega do medicamento.
s O paciente {Fm} necessita de {med}, conforme o médico {especialista} {Fm}.
s O hospital de {U} {não dispõe de/não oferece/suspendeu/adiou/não agenda} {exame}.
q o fármaco é imprescindível ao tratamento|o ente demandado tem o dever de fornecer o insumo|há alternativa terapêutica oferecida pela rede|a União deve integrar a lide
l art. 196 da Constituição Federal|art. 19-M da Lei 8.080/1990|Tema 106 do STJ|Tema 6 do STF|Tema 1.234 do STF|Tema 793 do STF
# ambiental | administrativo ambiental | DIREITO AMBIENTAL
t o dano ambiental|a área de preservação permanente|o licenciamento ambiental|o auto de infração|a reserva legal|o princípio da precaução|a supressão de vegetação|a obrigação propter rem|a recuperação da área degradada
h DANO AMBIENTAL|ÁREA DE PRESERVAÇÃO PERMANENTE|AUTO DE INFRAÇÃO|OBRIGAÇÃO PROPTER REM|LICENCIAMENTO|RESPONSABILIDADE OBJETIVA|ROMPIMENTO DE BARRAGEM|POLUIÇÃO HÍDRICA|RESERVA LEGAL
s A supressão de {n} hectares de {veget} às margens do rio {K2} exige reparação integral.
s O autuado {Fm} não tinha licença para a lavra de {minerio} em {U}.
s A obrigação de recuperar a área acompanha o imóvel e alcança o adquirente.
s A multa de {R} respeita a gravidade do fato e a condição do infrator.
s O laudo ambiental constatou o corte de {veget} na Fazenda {K2}.
q o adquirente responde pela degradação anterior|a construção ocupa faixa marginal de curso de água|a atividade dependia de licença|o infrator foi notificado para apresentar defesa
l art. 225, § 3º, da Constituição Federal|Lei 12.651/2012|art. 14, § 1º, da Lei 6.938/1981|Súmula 623 do STJ|Súmula 629 do STJ|Decreto 6.514/2008
# estado | administrativo civil | RESPONSABILIDADE CIVIL DO ESTADO
t a responsabilidade civil do Estado|a omissão estatal|o erro médico|a morte de detento|a falha do serviço|a concessionária de energia|a bala perdida|a indenização por dano moral|a queda em via pública
h RESPONSABILIDADE CIVIL DO ESTADO|OMISSÃO ESPECÍFICA|ERRO MÉDICO|MORTE DE DETENTO|DANO MORAL|NEXO CAUSAL|HOSPITAL MUNICIPAL|QUEDA EM VIA PÚBLICA|CONCESSIONÁRIA DE SERVIÇO PÚBLICO
s O Estado responde pela morte de detento sob sua custódia, salvo prova de que não podia evitá-la.
s A demora no diagnóstico de {doenca} no hospital de {U} retirou da paciente a chance de cura.
s O buraco sem sinalização causou a queda de {F} e gera o dever de indenizar.
s A interrupção de energia por {n} dias atingiu a produção de {cult} do autor.
s O hospital de {U} {não dispõe de/não oferece/suspendeu/adiou/não agenda} {exame}.
q a demora no socorro causou a morte|a administração foi negligente na conservação da via|o preso estava sob vigilância|a conduta do agente foi a causa direta da lesão
l art. 37, § 6º, da Constituição Federal|art. 43 do Código Civil|Tema 592 do STF|Decreto 20.910/1932|art. 1º-F da Lei 9.494/1997
# constitucional | constitucional | DIREITO CONSTITUCIONAL
t o controle de constitucionalidade|a repercussão geral|a separação dos poderes|a competência legislativa|a iniciativa privativa|a liberdade de expressão|a autonomia municipal|o princípio federativo|a modulação dos efeitos|a reclamação constitucional
h AÇÃO DIRETA DE INCONSTITUCIONALIDADE|REPERCUSSÃO GERAL|VÍCIO DE INICIATIVA|COMPETÊNCIA LEGISLATIVA CONCORRENTE|LIBERDADE DE EXPRESSÃO|SEPARAÇÃO DOS PODERES|RECLAMAÇÃO|ADERÊNCIA ESTRITA|OFENSA REFLEXA|MODULAÇÃO DOS EFEITOS
s A lei do Município de {U} que regula o comércio de {merc} invade a competência privativa da União.
s A afronta à Constituição, se houvesse, seria indireta, pois depende da lei ordinária.
s A reclamação não serve de atalho processual quando falta aderência entre o ato e o paradigma.
s Propõe-se a modulação dos efeitos para alcançar apenas os fatos posteriores a {D}.
s A liberdade de expressão protege a crítica dirigida a {F}, ainda que ácida.
q a lei trata de matéria reservada ao chefe do Executivo|o estado pode legislar sobre o tema|os efeitos da decisão devem ser limitados no tempo|o ato reclamado desrespeitou decisão desta Corte
l art. 22, I, da Constituição Federal|art. 102, III, da Constituição Federal|art. 61, § 1º, da Constituição Federal|art. 5º, IX, da Constituição Federal|art. 27 da Lei 9.868/1999|Súmula 279 do STF|art. 30, I, da Constituição Federal
# recurso-extraordinario | constitucional processo | DIREITO CONSTITUCIONAL E PROCESSUAL
t o recurso extraordinário|o agravo regimental|a súmula da Corte|a ofensa constitucional reflexa|o agravo interno|o juízo de admissibilidade|o recurso especial|a preliminar formal de repercussão geral
h RECURSO EXTRAORDINÁRIO COM AGRAVO|AGRAVO REGIMENTAL|OFENSA REFLEXA|FATOS E PROVAS|INADMISSIBILIDADE|SÚMULA 279 DO STF|AGRAVO INTERNO|RAZÕES DISSOCIADAS|RECURSO ESPECIAL
s O recurso extraordinário não comporta reexame de fatos e provas.
s A parte não impugnou os fundamentos do juízo de admissibilidade do recurso especial.
s O agravo interno repete as razões já repelidas e atrai a multa de {%}.
s A análise da matéria exigiria nova leitura de cláusula de contrato.
q a questão suscitada tem natureza constitucional|a decisão agravada aplicou a jurisprudência|as razões atacaram todos os fundamentos|a matéria foi debatida na origem
l art. 1.021, § 4º, do CPC|Súmula 282 do STF|Súmula 284 do STF|Súmula 83 do STJ|art. 105, III, da Constituição Federal|art. 102, III, a, da Constituição Federal
# educacao | administrativo constitucional | DIREITO À EDUCAÇÃO
t a vaga em creche|o ensino superior|o financiamento estudantil|a matrícula em universidade|o diploma estrangeiro|a merenda escolar|a educação inclusiva|o conselho profissional|a anuidade
h VAGA EM CRECHE|DIREITO À EDUCAÇÃO|ENSINO SUPERIOR|FIES|REVALIDAÇÃO DE DIPLOMA|CONSELHO PROFISSIONAL|ANUIDADE|TRANSFERÊNCIA DE ALUNO|PROFESSOR DE APOIO
s O Município de {U} deve ofertar vaga em creche próxima à residência da criança.
s A instituição {E} negou matrícula por débito anterior, o que a lei proíbe.
s O exercício da atividade de {ocup} não depende de inscrição em conselho profissional.
s O estudante {Fm} cumpriu {%} da carga e pode colar grau em caráter excepcional.
s A estudante {Ff} cursa {curso} em {U}.
s O estudante {Fm} cursa {curso} em {U}.
q a criança tem direito à matrícula em unidade próxima|o estudante pode antecipar a colação de grau|a universidade pode exigir prova para revalidar o título|a instituição pode reter documentos do aluno inadimplente
l art. 208, IV, da Constituição Federal|Lei 9.394/1996|Lei 10.260/2001|Tema 548 do STF|Lei 9.870/1999|Lei 12.514/2011
`;
